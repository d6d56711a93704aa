#!/bin/sh
# Renders the chart with four sets of values into tests/golden/deploy, for chart_test. Needs helm: HELM names it, else
# `helm` of the path, else Go builds it. With --check it renders nothing and says whether the chart has changed since.
set -eu
cd "$(dirname "$0")/../.."
chart=deploy/helm/emptor golden=tests/golden/deploy
digest() {
  find "$chart" deploy/helm/values -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1
}
if [ "${1:-}" = --check ]; then
  [ "$(cat "$golden/chart.sha256")" = "$(digest)" ] && exit 0
  echo "the chart has changed: run tests/deploy/render.sh and look at what it changes in $golden"
  exit 1
fi

if [ -n "${HELM:-}" ]; then :; elif command -v helm >/dev/null; then HELM=helm; else
  HELM="go run helm.sh/helm/v3/cmd/helm@v3.16.4"
fi
render() {
  $HELM lint --quiet "$chart" $2
  $HELM template shop "$chart" --namespace shop --kube-version 1.31.3 $2 >"$golden/$1.yaml"
}
mkdir -p "$golden"
render default ""
render small "-f deploy/helm/values/small.yaml"
# Rules and dashboards are tested where they lie.
render eks "-f deploy/helm/values/eks.yaml --set monitoring.dashboards=false"
render eks-istio "-f deploy/helm/values/eks.yaml -f deploy/helm/values/eks-istio.yaml --set monitoring.enabled=false --set monitoring.dashboards=false"
digest >"$golden/chart.sha256"
