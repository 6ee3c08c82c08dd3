{{/*
A deployment of one component. Takes a dict:
  root, component, values (of the component), args, own (settings that the chart decides), media (whether it needs the
  sandbox), ffmpeg (whether it needs ffmpeg too), ports (besides the one for health), mounts, volumes,
  scaled (whether something else decides on its replicas), readinessFailures
*/}}
{{- define "millpond.deployment" -}}
{{- $name := printf "%s-%s" (include "millpond.fullname" .root) .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "millpond.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- include "millpond.replicas" (dict "scaled" .scaled "values" .values "now" (lookup "apps/v1" "Deployment" .root.Release.Namespace $name)) | nindent 2 }}
  # A new pod is ready before an old one goes.
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  selector:
    matchLabels:
      {{- include "millpond.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- include "millpond.podLabels" .root | nindent 8 }}
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
          resources: {{- include "millpond.resources" .values | nindent 12 }}
          securityContext: {{- include "millpond.containerSecurity" . | nindent 12 }}
          volumeMounts:
            {{- include "millpond.mounts" .root | nindent 12 }}
            {{- with .mounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        {{- include "millpond.volumes" (dict "root" .root "scratch" .values.scratch) | nindent 8 }}
        {{- with .volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{/*
An upgrade that takes the number away makes it 1, which ends all pods but one. So an autoscaled deployment keeps the number that it has; a new
one has none, and neither has one that is rendered without its cluster, where any number would undo the autoscaler's at each rendering.
*/}}
{{- define "millpond.replicas" -}}
{{- if not .scaled -}}
replicas: {{ .values.replicas }}
{{- else if .now -}}
replicas: {{ max (int64 .now.spec.replicas) (int64 .values.autoscaling.minReplicas) }}
{{- end -}}
{{- end -}}
