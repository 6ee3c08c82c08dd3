{{/*
What every pod of ours has: settings as environment, secrets as files, no privilege, a read-only root. All take a dict:
  root       the chart's own scope
  settings   of this component; stronger than those of all
*/}}

{{- define "millpond.env" -}}
{{- $settings := dict "MILLPOND_ADMIN_LISTEN" "http://0.0.0.0:8190" "MILLPOND_SANDBOX_ROOT" "/var/lib/millpond/scratch/sandbox" -}}
{{- if .root.Values.blobs.claim -}}{{- $_ := set $settings "MILLPOND_DISK_ROOT" "/var/lib/millpond/blobs" -}}{{- end -}}
{{- $settings = merge (dict) .settings .root.Values.settings (.own | default dict) $settings -}}
{{- range $name := keys $settings | sortAlpha }}
- name: {{ $name }}
  value: {{ get $settings $name | toString | quote }}
{{- end }}
{{- range $name := keys .root.Values.secrets | sortAlpha }}
- name: {{ $name }}_FILE
  value: /etc/millpond/secrets/{{ $name }}
{{- end }}
{{- end -}}

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
- name: secrets
  projected:
    # Readable for the group of the pod (fsGroup) and nobody else: the server refuses a master key that others can read.
    defaultMode: 0440
    sources:
      {{- range $name := keys .Values.secrets | sortAlpha }}
      {{- $reference := get $.Values.secrets $name }}
      - secret:
          name: {{ $reference.name }}
          items: [{ key: {{ $reference.key }}, path: {{ $name }} }]
      {{- end }}
{{- if .Values.files }}
- name: files
  projected:
    defaultMode: 0440
    sources:
      {{- range $name := keys .Values.files | sortAlpha }}
      {{- $reference := get $.Values.files $name }}
      - {{ if $reference.secret }}secret{{ else }}configMap{{ end }}:
          name: {{ $reference.secret | default $reference.configMap }}
          items: [{ key: {{ $reference.key }}, path: {{ $name }} }]
      {{- end }}
{{- end }}
- name: scratch
  emptyDir: { sizeLimit: {{ .Values.sandbox.sizeLimit }} }
{{- if .Values.blobs.claim }}
- name: blobs
  persistentVolumeClaim: { claimName: {{ .Values.blobs.claim }} }
{{- end }}
{{- end -}}

{{/* The sandbox makes namespaces of its own: for that it needs a /proc without covers, which Kubernetes gives only to pods with their own users. */}}
{{- define "millpond.podSecurity" -}}
{{- $sandboxed := and .root.Values.sandbox.enabled .media -}}
{{- if $sandboxed }}
hostUsers: false
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {{ ternary .root.Values.sandbox.seccompProfile (dict "type" "RuntimeDefault") $sandboxed | toJson }}
{{- end -}}

{{- define "millpond.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- if and .root.Values.sandbox.enabled .media }}
procMount: Unmasked
{{- end }}
{{- end -}}

{{- define "millpond.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}

{{/* Where pods go: over machines and zones as evenly as possible, and then where the values want them. */}}
{{- define "millpond.placement" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "millpond.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $.component }}
  {{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
serviceAccountName: {{ .root.Values.serviceAccountName }}
terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
{{- end -}}
