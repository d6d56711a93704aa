#!/bin/sh
# The main job, shown: ingest the sample shop, serve it, ask a first question over HTTP, keep serving.
# DEMO_EXIT=1 leaves after the answer. DEMO_LISTEN, DEMO_ADMIN (port 0: a free one) and DEMO_DATA choose
# addresses and place.
set -eu
cd "$(dirname "$0")/.."

emptor=build/release/emptor
data=${DEMO_DATA:-var/demo}
question=${DEMO_QUESTION:-"Which kettle under 60 dollars do you recommend?"}

echo "== loading the sample shop into $data"
"$emptor" ingest data/sample-shop/products.jsonl data/sample-shop/products.zh-CN.jsonl \
  data/sample-shop/faq.jsonl --data-dir "$data"

log=$(mktemp)
"$emptor" serve --data-dir "$data" --listen "${DEMO_LISTEN:-127.0.0.1:8080}" \
  --admin-listen "${DEMO_ADMIN:-127.0.0.1:8081}" >"$log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -f "$log"' EXIT
trap 'exit 130' INT TERM

until grep -q '^ready' "$log"; do
  kill -0 $server 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
url=$(sed -n 's/^serving on //p' "$log")

echo "== $question"
"$emptor" ask "$question" --data-dir "$data"

[ "${DEMO_EXIT:-0}" = 1 ] && exit 0
echo "== open $url in a browser; Ctrl-C ends"
wait $server
