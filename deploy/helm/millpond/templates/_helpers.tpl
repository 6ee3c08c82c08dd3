{{/* Names and labels. */}}
{{- define "millpond.name" -}}
{{- default .Chart.Name .Values.nameOverride -}}
{{- end -}}

{{/*
Never shortened: two long names could become one. A StatefulSet "…-live" may have 52 characters, because its pods' label
controller-revision-hash adds 11; KEDA's "keda-hpa-…-workers" may have 63.
*/}}
{{- define "millpond.fullname" -}}
{{- $name := include "millpond.name" . -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- if gt (len $full) 46 -}}
{{- fail (printf "the name %s has more than 46 characters: choose a shorter name for the release, or a nameOverride" $full) -}}
{{- end -}}
{{- $full -}}
{{- end -}}

{{- define "millpond.labels" -}}
{{ include "millpond.podLabels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{/* Nothing that changes with a version: a pod with another label is another pod, and engines of live streams would lose their publishers. */}}
{{- define "millpond.podLabels" -}}
{{ include "millpond.selector" . }}
app.kubernetes.io/part-of: millpond
{{- end -}}

{{/* Of all its pods; a component has app.kubernetes.io/component too. */}}
{{- define "millpond.selector" -}}
app.kubernetes.io/name: {{ include "millpond.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Without ffmpeg, and with it. */}}
{{- define "millpond.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote -}}
{{- end -}}

{{- define "millpond.mediaImage" -}}
{{- printf "%s:%s" .Values.image.mediaRepository (.Values.image.tag | default .Chart.AppVersion) | quote -}}
{{- end -}}

{{/* "10s" as 10000, as the server reads it. */}}
{{- define "millpond.milliseconds" -}}
{{- $units := dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000 "d" 86400000 -}}
{{- mul (regexFind "^[0-9]+" . | int64) (get $units (regexFind "[a-z]+$" .) | default 1 | int64) -}}
{{- end -}}
