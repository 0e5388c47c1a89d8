{{/* The prefix of all names; short enough that every name and label stays below 63 characters. */}}
{{- define "namewright.name" -}}
{{- if eq .Release.Name "namewright" -}}
namewright
{{- else -}}
{{- printf "%s-namewright" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels of a selector. They never change, because a selector is immutable. Takes a dict of `root` and `part`. */}}
{{- define "namewright.selector" -}}
app.kubernetes.io/name: namewright
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "namewright.labels" -}}
{{ include "namewright.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "namewright.account" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "namewright.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}
