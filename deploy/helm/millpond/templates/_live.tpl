{{- define "millpond.live.pod" -}}
- name: POD_INDEX
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } }
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
{{- end -}}

{{/* id=nginx-rtmp@http://pod:8180 for each engine: gateways play from them. */}}
{{- define "millpond.live.engines" -}}
{{- $name := include "millpond.fullname" . -}}
{{- $engines := list -}}
{{- range $number := until (int .Values.live.engines) -}}
{{- $engines = append $engines (printf "live-%d=nginx-rtmp@http://%s-live-%d.%s-live:8180" $number $name $number $name) -}}
{{- end -}}
{{- join "," $engines -}}
{{- end -}}

{{/* Settings of the process beside an engine. */}}
{{- define "millpond.live.own" -}}
MILLPOND_LIVE_ENGINES: live-$(POD_INDEX)=nginx-rtmp@http://$(POD_IP):8180
MILLPOND_LIVE_RECORD_FOLDER: /var/lib/millpond/live
{{- include "millpond.live.sip" . }}
{{- end -}}

{{/* For gateways too, which answer the calls that start and stop cameras. Only a process with the role "live" listens. */}}
{{- define "millpond.live.sip" -}}
{{- with .Values.live.sip }}
{{- if .enabled }}
MILLPOND_SIP_LISTEN: sip://0.0.0.0:5060
MILLPOND_SIP_PUBLIC_HOST: {{ required "live.sip.address: where devices reach the service" .address }}:5060
MILLPOND_SIP_MEDIA_HOST: {{ .address }}
MILLPOND_SIP_MEDIA_PORTS: {{ .mediaPorts.first }}-{{ sub (add .mediaPorts.first .mediaPorts.count) 1 }}
MILLPOND_SIP_MEDIA_RTMP_URL: rtmp://127.0.0.1:1935/live
{{- end }}
{{- end }}
{{- end -}}
