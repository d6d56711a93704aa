{{- define "emptor.fullname" -}}
{{- if contains "emptor" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-emptor" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that select the pods of a part: (dict "root" $ "part" "engine" "track" "stable"). */}}
{{- define "emptor.selector" -}}
app.kubernetes.io/name: emptor
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- with .track }}
emptor/track: {{ . }}
{{- end }}
{{- end }}

{{- define "emptor.labels" -}}
{{ include "emptor.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: emptor
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.costLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels by which Kiali draws its graph: (dict "root" $ "part" "engine" "track" "stable" "tag" ""). */}}
{{- define "emptor.meshLabels" -}}
{{- if .root.Values.istio.enabled }}
app: {{ include "emptor.fullname" .root }}-{{ .part }}
version: {{ .tag | default .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
{{- end }}
{{- end }}

{{/* A job ends when its own container does, which a sidecar outlives: jobs are not in the mesh. */}}
{{- define "emptor.jobLabels" -}}
{{ include "emptor.labels" . }}
{{- if .root.Values.istio.enabled }}
sidecar.istio.io/inject: "false"
{{- end }}
{{- end }}

{{/* (dict "root" $ "tag" "") */}}
{{- define "emptor.image" -}}
{{ .root.Values.image.repository }}:{{ .tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The names by which a service is called inside the cluster. */}}
{{- define "emptor.serviceNames" -}}
{{- $ns := .root.Release.Namespace -}}
{{- toJson (list .name (printf "%s.%s" .name $ns) (printf "%s.%s.svc" .name $ns) (printf "%s.%s.svc.%s" .name $ns .root.Values.clusterDomain)) -}}
{{- end }}

{{- define "emptor.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "emptor.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{/* Health is asked of the admin port: /healthz while the process works, /readyz while it takes requests. */}}
{{- define "emptor.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 5
  failureThreshold: {{ .startupFailures }}
livenessProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 3
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{/* Endpoints forget the pod before it refuses: 5 s, then `drain_ms`, within the 30 s of grace. */}}
lifecycle:
  preStop: {exec: {command: [sleep, "5"]}}
{{- end }}

{{- define "emptor.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Replicas of a part lie on different nodes and zones where that is possible. */}}
{{- define "emptor.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "emptor.selector" . | fromYaml | toJson }}}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "emptor.selector" . | fromYaml | toJson }}}
{{- end }}

{{/* Names of all assistants that there can be, below the service that gives them names. */}}
{{- define "emptor.assistantPods" -}}
{{- $a := .Values.assistant -}}
{{- $name := include "emptor.fullname" . -}}
{{- $most := ternary (max (int $a.replicas) (int $a.autoscaling.maxReplicas)) (int $a.replicas) $a.autoscaling.enabled -}}
{{- $pods := list -}}
{{- range $i := until (int $most) }}{{ $pods = append $pods (printf "%s-assistant-%d.%s-assistant-pods" $name $i $name) }}{{ end -}}
{{- if and .Values.istio.enabled .Values.istio.canary.enabled -}}
{{- $pods = append $pods (printf "%s-assistant-canary-0.%s-assistant-pods" $name $name) -}}
{{- end -}}
{{- toJson $pods -}}
{{- end }}

{{/* Volume, mount and fetching of feeds. */}}
{{- define "emptor.feedsVolume" -}}
{{- if .Values.feeds.existingClaim }}
- name: feeds
  persistentVolumeClaim: {claimName: {{ .Values.feeds.existingClaim }}, readOnly: true}
{{- else if .Values.feeds.url }}
- name: feeds
  emptyDir: {sizeLimit: 10Gi}
{{- end }}
{{- end }}
{{/* (dict "root" $ "optional" true): an assistant starts without the feed too, with the catalog that it has; a job fails. */}}
{{- define "emptor.fetchFeed" -}}
- name: fetch
  image: {{ .root.Values.feeds.fetchImage }}
  command: [sh, -eu, -c]
  args:
    - |
      curl --fail --silent --show-error --location --proto =https --connect-timeout 10 --max-time 600 --retry 3 \
      {{- if .optional }}
        --retry-max-time 60 --output "$1" "$2" ||
        { rm -f "$1"; echo "the feed could not be fetched: the assistant starts with the catalog that it has" >&2; }
      {{- else }}
        --output "$1" "$2"
      {{- end }}
    - fetch
    - {{ printf "/feeds/%s" (.root.Values.feeds.url | splitList "?" | first | base) | quote }}
    - {{ .root.Values.feeds.url | quote }}
  {{- include "emptor.containerSecurity" .root | nindent 2 }}
  resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 128Mi}}
  volumeMounts: [{name: feeds, mountPath: /feeds}]
{{- end }}
