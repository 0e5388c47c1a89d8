{{/* Common parts of the pods of nodes, workers and the migration. */}}

{{- define "namewright.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* Kubernetes would set NAMEWRIGHT_PORT=tcp://… in every pod for a Service of that name, and the service would not
     start. So service links are off. No process in a pod calls Kubernetes, so it gets no token. */}}
{{- define "namewright.pod" -}}
serviceAccountName: {{ include "namewright.account" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Spreads the pods over machines and zones where possible. Takes a dict of `root` and `part`. */}}
{{- define "namewright.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "namewright.selector" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "namewright.selector" . | nindent 8 }}
{{- end -}}

{{- define "namewright.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Settings of the ConfigMap, then those of your Secret, then those generated for bundled stores. */}}
{{- define "namewright.settings" -}}
envFrom:
  - configMapRef:
      name: {{ include "namewright.name" . }}
  {{- with .Values.existingSecret }}
  - secretRef:
      name: {{ . }}
  {{- end }}
{{- end -}}

{{/* One generated setting. Takes a dict of `root`, `setting` and `key`. */}}
{{- define "namewright.made" -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ include "namewright.name" .root }}-passwords
      key: {{ .key }}
{{- end -}}

{{- define "namewright.madeSettings" -}}
{{- if not .Values.existingSecret }}
{{ include "namewright.made" (dict "root" . "setting" "NAMEWRIGHT_SECRET" "key" "secret") }}
{{- end }}
{{- if .Values.postgresql.bundled }}
{{ include "namewright.made" (dict "root" . "setting" "NAMEWRIGHT_DATABASE_URL" "key" "database-url") }}
{{- end }}
{{- if .Values.valkey.bundled }}
{{ include "namewright.made" (dict "root" . "setting" "NAMEWRIGHT_REDIS_URL" "key" "redis-url") }}
{{- end }}
{{- end -}}

{{/* The settings that follow from values, and yours, which override them. */}}
{{- define "namewright.config" -}}
{{- $most := .Values.server.replicas }}
{{- if .Values.server.autoscaling.enabled }}
{{- $most = .Values.server.autoscaling.maxReplicas }}
{{- end }}
{{- $own := dict "NAMEWRIGHT_NODES" $most "NAMEWRIGHT_DRAIN_SECONDS" .Values.server.drainSeconds }}
{{- $jobs := dict "NAMEWRIGHT_WORKER" (ternary "apart" "inside" .Values.worker.enabled) "NAMEWRIGHT_WORKER_CONCURRENCY" .Values.worker.concurrency }}
{{- $migrate := dict "NAMEWRIGHT_MIGRATE" (ternary "manual" "auto" (and .Values.migration.job (not .Values.postgresql.bundled))) }}
{{- range $name, $value := merge (dict) .Values.settings $own $jobs $migrate }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}
