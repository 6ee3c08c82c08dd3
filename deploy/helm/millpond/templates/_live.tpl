{{- define "millpond.live.pod" -}}
- name: POD_INDEX
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" } }
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
{{- end -}}

{{/* Settings of the process beside an engine. */}}
{{- define "millpond.live.own" -}}
MILLPOND_LIVE_ENGINES: live-$(POD_INDEX)=nginx-rtmp@http://$(POD_IP):8180
MILLPOND_LIVE_RECORD_FOLDER: /var/lib/millpond/live
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
