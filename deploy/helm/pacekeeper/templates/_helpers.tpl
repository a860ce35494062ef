{{- define "pacekeeper.name" -}}
{{- if contains "pacekeeper" .Release.Name -}}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{- else -}}{{ printf "%s-pacekeeper" .Release.Name | trunc 52 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "pacekeeper.labels" -}}
app.kubernetes.io/name: pacekeeper
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "pacekeeper.selector" -}}
app.kubernetes.io/name: pacekeeper
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "pacekeeper.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* A value as text. Helm reads numbers as floats, and prints large ones as 1e+06. */}}
{{- define "pacekeeper.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{/* A map whose values are texts, as in labels and annotations. Kubernetes rejects numbers and booleans there. */}}
{{- define "pacekeeper.texts" -}}
{{- $texts := dict -}}
{{- range $name, $value := . -}}{{- $_ := set $texts $name (include "pacekeeper.text" $value) -}}{{- end -}}
{{- toYaml $texts -}}
{{- end -}}

{{/* What nothing in here needs, it may not do. */}}
{{- define "pacekeeper.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "pacekeeper.podSecurity" -}}
runAsNonRoot: true
{{- if .Values.fixedUser }}
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Where pods run, for the server and the agents. */}}
{{- define "pacekeeper.scheduling" -}}
{{- with .nodeSelector }}
nodeSelector: {{ include "pacekeeper.texts" . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .topologySpreadConstraints }}
topologySpreadConstraints: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* The address that people use; with an ingress it is known. */}}
{{- define "pacekeeper.baseUrl" -}}
{{- if .Values.server.baseUrl -}}{{ .Values.server.baseUrl }}
{{- else if .Values.ingress.enabled -}}{{ ternary "https" .Values.ingress.scheme (ne .Values.ingress.tlsSecret "") }}://{{ .Values.ingress.host }}
{{- end -}}
{{- end -}}

{{/* The path of that address, under which the ingress forwards requests unchanged. */}}
{{- define "pacekeeper.basePath" -}}
{{- with .Values.server.baseUrl -}}{{ (urlParse .).path | trimSuffix "/" }}{{- end -}}
{{- end -}}

{{/* Mistakes that would only show later. */}}
{{- define "pacekeeper.check" -}}
{{- if and (eq .Values.database.mode "external") (gt (int .Values.server.replicas) 0) (not .Values.existingSecret) -}}
{{- fail "existingSecret: name a secret with DATABASE_URL and PACEKEEPER_SECRET_KEY, or set database.mode to embedded." -}}
{{- end -}}
{{- if and (eq .Values.database.mode "embedded") (gt (int .Values.server.replicas) 1) -}}
{{- fail "server.replicas: an embedded database belongs to one server. Set it to 1, or use an external database." -}}
{{- end -}}
{{- if and (gt (int .Values.agents.replicas) 0) (not .Values.agents.existingSecret) (not .Values.agents.apiKey) -}}
{{- fail "agents.existingSecret: agents require a secret with PACEKEEPER_API_KEY. Set it, or set agents.apiKey." -}}
{{- end -}}
{{- if and .Values.agents.kubernetes.enabled (eq (int .Values.agents.replicas) 0) -}}
{{- fail "agents.kubernetes.enabled: only agents read the cluster. Set agents.replicas to 1." -}}
{{- end -}}
{{- if and (eq (int .Values.server.replicas) 0) (gt (int .Values.agents.replicas) 0) (not .Values.agents.serverUrl) -}}
{{- fail "agents.serverUrl: without a server in this release, say where it is." -}}
{{- end -}}
{{- if and .Values.email.smtpSecret (not .Values.email.from) -}}
{{- fail "email.from: emails require a sender. Set it, for example to alerts@example.com." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "ingress.host: an ingress needs a host." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (gt (int .Values.server.replicas) 0) (not .Values.server.trustedProxies) -}}
{{- fail "server.trustedProxies: behind an ingress, every request comes from its controller, so all clients would share one limit on failed logins. Set it to the address range of the controller's pods, for example --set 'server.trustedProxies={10.244.0.0/16}'." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.server.baseUrl) (not .Values.ingress.tlsSecret) (not .Values.ingress.scheme) -}}
{{- fail "ingress.scheme: without ingress.tlsSecret, the chart can't tell whether people use https, for example with the controller's default certificate or TLS at a load balancer. Set it to https or http." -}}
{{- end -}}
{{- end -}}

{{/* Variables about the way out, for servers and agents. */}}
{{- define "pacekeeper.outboundEnv" -}}
{{- with .Values.outbound.caConfigMap }}
- { name: PACEKEEPER_CA_FILE, value: /etc/pacekeeper-ca/ca.crt }
{{- end }}
{{- with .Values.outbound.proxySecret }}
- name: PACEKEEPER_PROXY_URL
  valueFrom:
    secretKeyRef: { name: {{ . }}, key: PACEKEEPER_PROXY_URL }
- name: PACEKEEPER_NO_PROXY
  value: {{ concat (list "localhost" "127.0.0.0/8" "::1/128" (include "pacekeeper.name" $)) $.Values.outbound.noProxy | join "," | quote }}
{{- with $.Values.outbound.proxyHosts }}
- { name: PACEKEEPER_PROXY_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- end }}
