{{/* Mounts and volumes of our pods. The template for volumes takes a dict: root, and scratch (values of the component, if it has any). */}}
{{- define "millpond.mounts" -}}
- { name: secrets, mountPath: /etc/millpond/secrets, readOnly: true }
- { name: scratch, mountPath: /var/lib/millpond/scratch }
- { name: scratch, mountPath: /tmp, subPath: tmp }
{{- if .Values.files }}
- { name: files, mountPath: /etc/millpond/files, readOnly: true }
{{- end }}
{{- if .Values.blobs.claim }}
- { name: blobs, mountPath: /var/lib/millpond/blobs }
{{- end }}
{{- end -}}

{{- define "millpond.volumes" -}}
{{- $values := .root.Values -}}
- name: secrets
  projected:
    # Readable for the group of the pod (fsGroup) and nobody else: the server refuses a master key that others can read.
    defaultMode: 0440
    sources:
      {{- range $name := keys $values.secrets | sortAlpha }}
      {{- $reference := get $values.secrets $name }}
      - secret:
          name: {{ $reference.name }}
          items: [{ key: {{ $reference.key }}, path: {{ $name }} }]
      {{- end }}
{{- if $values.files }}
- name: files
  projected:
    defaultMode: 0440
    sources:
      {{- range $name := keys $values.files | sortAlpha }}
      {{- $reference := get $values.files $name }}
      - {{ if $reference.secret }}secret{{ else }}configMap{{ end }}:
          name: {{ $reference.secret | default $reference.configMap }}
          items: [{ key: {{ $reference.key }}, path: {{ $name }} }]
      {{- end }}
{{- end }}
- name: scratch
{{- $scratch := .scratch | default (dict "size" "1Gi") }}
{{- if $scratch.volume }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $scratch.storageClassName }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ $scratch.size }} } }
{{- else }}
  emptyDir: { sizeLimit: {{ $scratch.size }} }
{{- end }}
{{- if $values.blobs.claim }}
- name: blobs
  persistentVolumeClaim: { claimName: {{ $values.blobs.claim }} }
{{- end }}
{{- end -}}

{{/* Of a component: with scratch space on the disk of the node, some of that disk is asked for. */}}
{{- define "millpond.resources" -}}
{{- $resources := deepCopy .resources -}}
{{- with .scratch -}}
{{- if not .volume -}}
{{- $resources = merge $resources (dict "requests" (dict "ephemeral-storage" .request)) -}}
{{- end -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}
