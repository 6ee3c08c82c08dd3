{{/* Names and labels. The longest suffix, "-live-sip", must fit into 63 characters. */}}
{{- define "millpond.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "millpond.fullname" -}}
{{- $name := include "millpond.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "millpond.labels" -}}
{{ include "millpond.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: millpond
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
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

{{/* id=nginx-rtmp@http://pod:8180 for each engine: gateways play from them. */}}
{{- define "millpond.liveEngines" -}}
{{- $name := include "millpond.fullname" . -}}
{{- $engines := list -}}
{{- range $number := until (int .Values.live.engines) -}}
{{- $engines = append $engines (printf "live-%d=nginx-rtmp@http://%s-live-%d.%s-live:8180" $number $name $number $name) -}}
{{- end -}}
{{- join "," $engines -}}
{{- end -}}
