{{/*
What containers of ours get as environment. Both take a dict:
  root       the chart's own scope
  settings   of this component; stronger than those of all
  own        those that the chart decides, unless the values say something else
*/}}

{{/* Name: value, as YAML. */}}
{{- define "millpond.settings" -}}
{{- $settings := dict "MILLPOND_ADMIN_LISTEN" "http://0.0.0.0:8190" "MILLPOND_SANDBOX_ROOT" "/var/lib/millpond/scratch/sandbox" -}}
{{- if .root.Values.blobs.claim -}}{{- $_ := set $settings "MILLPOND_DISK_ROOT" "/var/lib/millpond/blobs" -}}{{- end -}}
{{- /* Not by `merge`, for which an empty value is none: a component may go back to the server's own default by it. */}}
{{- range list (.own | default dict) .root.Values.settings (.settings | default dict) -}}
{{- range $name, $value := . -}}
{{- if not (kindIs "invalid" $value) -}}{{- $_ := set $settings $name $value -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $settings }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{- define "millpond.env" -}}
{{- range $name, $value := include "millpond.settings" . | fromYaml }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name := keys .root.Values.secrets | sortAlpha }}
- name: {{ $name }}_FILE
  value: /etc/millpond/secrets/{{ $name }}
{{- end }}
{{- with .root.Values.trustedAuthorities }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/millpond/files/{{ . }}
{{- end }}
{{- end -}}

{{/* Of gateways, and of the pod that looks at them from their place. */}}
{{- define "millpond.gateways.own" -}}
{{- $listen := list "http://0.0.0.0:8100" -}}
{{- /* A load balancer that asks nodes for their health needs half a minute to notice that a gateway goes. */}}
MILLPOND_DRAIN_DELAY: {{ eq .Values.gateways.service.externalTrafficPolicy "Local" | ternary "40s" "10s" }}
{{- if .Values.tls.secretName }}
{{- $listen = append $listen "https://0.0.0.0:8443" }}
MILLPOND_TLS_CERT: /etc/millpond/tls/tls.crt
MILLPOND_TLS_KEY: /etc/millpond/tls/tls.key
{{- end }}
{{- if .Values.live.enabled }}
{{- /* Hooks of engines have a listener of their own, which no proxy reaches. */}}
{{- $listen = append $listen "http://0.0.0.0:8102/live" }}
MILLPOND_LIVE_ENGINES: {{ include "millpond.live.engines" . }}
{{- include "millpond.live.sip" . }}
{{- end }}
{{- if not .Values.sandbox.enabled }}
MILLPOND_INSPECT: "false"
{{- end }}
MILLPOND_LISTEN: {{ join "," $listen }}
{{- end -}}
