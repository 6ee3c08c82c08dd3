{{/*
A deployment of one component. Takes a dict:
  root, component, values (of the component), args, own (settings that the chart decides), media (whether it needs the
  sandbox), ffmpeg (whether it needs ffmpeg too), ports (besides the one for health), scaled (whether something else decides on its replicas)
*/}}
{{- define "millpond.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "millpond.fullname" .root }}-{{ .component }}
  labels:
    {{- include "millpond.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  # A new pod is ready before an old one goes.
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels:
      {{- include "millpond.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- include "millpond.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with .values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "millpond.podSecurity" . | nindent 6 }}
      {{- include "millpond.placement" . | nindent 6 }}
      containers:
        - name: millpond
          image: {{ include (ternary "millpond.mediaImage" "millpond.image" .ffmpeg) .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: {{ toJson .args }}
          env: {{- include "millpond.env" (dict "root" .root "settings" .values.settings "own" .own) | nindent 12 }}
          ports:
            {{- with .ports }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            - { name: admin, containerPort: 8190 }
          {{- include "millpond.probes" . | nindent 10 }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext: {{- include "millpond.containerSecurity" . | nindent 12 }}
          volumeMounts:
            {{- include "millpond.mounts" .root | nindent 12 }}
            {{- with .mounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        {{- include "millpond.volumes" .root | nindent 8 }}
        {{- with .volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}
