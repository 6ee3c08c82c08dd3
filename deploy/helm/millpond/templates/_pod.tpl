{{/*
What every pod of ours has: no privilege, a read-only root, a place. The first two take a dict: root, and media (whether it needs the sandbox).
The sandbox makes namespaces of its own: for that it needs a /proc without covers, which Kubernetes gives only to pods with their own users,
and no profile that forbids mounts.
*/}}
{{- define "millpond.podSecurity" -}}
{{- if and .root.Values.sandbox.enabled .media }}
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
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "millpond.containerSecurity" -}}
{{- $sandbox := .root.Values.sandbox -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- if and $sandbox.enabled .media }}
procMount: Unmasked
seccompProfile: {{ toJson $sandbox.seccompProfile }}
{{- with $sandbox.appArmorProfile }}
appArmorProfile: {{ toJson . }}
{{- end }}
{{- with $sandbox.seLinuxOptions }}
seLinuxOptions: {{ toJson . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Takes a dict: readinessFailures. A pod that nobody can do without stays in its service for that many probes, 5 s each. */}}
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
  failureThreshold: {{ .readinessFailures | default 2 }}
{{- end -}}

{{/* Where the values want a pod, and who it is. Takes a dict: root, values (of the component). */}}
{{- define "millpond.where" -}}
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
{{- end -}}

{{/* The same for pods of which there are several: over machines and zones as evenly as possible. */}}
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
{{ include "millpond.where" . }}
terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
{{- end -}}
