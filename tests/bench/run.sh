#!/bin/sh
# Measures the whole service: ingest rate, search latency, first token and tokens per second with 1 and
# with 16 clients, memory; its OpenAI routes under a Poisson stream; the model alone (EMPTOR_BENCH_MODEL,
# or the shipped one), and continuous against static batching; then the micro-benchmarks. Pages with
# charts are written to BUILD_DIR/bench. tests/bench/run.sh [BUILD_DIR]
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build/release}
data=${EMPTOR_TEST_DATA:-../shared/data}
work=$(mktemp -d)
pages=$build/bench
mkdir -p "$pages"
server=""
trap '[ -z "$server" ] || kill $server 2>/dev/null; rm -rf "$work"' EXIT INT TERM

seconds() { date +%s.%N; }
elapsed() { echo "$1 $2" | awk '{printf "%.2f", $2 - $1}'; }

# start ARGUMENTS: starts a service and sets $port.
start() {
  "$build/emptor" "$@" --admin-listen 127.0.0.1:0 >"$work/log" 2>&1 &
  server=$!
  until grep -q '^ready' "$work/log"; do
    kill -0 $server 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.05
  done
  port=$(sed -n 's/^serving on http:\/\/127.0.0.1:\([0-9]*\).*/\1/p' "$work/log")
}

# serve SHOP: the whole service.
serve() {
  start serve --data-dir "$1" --listen 127.0.0.1:0
}

# stop: prints the service's memory and ends it.
stop() {
  awk '/VmRSS|VmHWM/ {printf "{\"%s\":\"%s kB\"}\n", substr($1, 1, 5), $2}' "/proc/$server/status"
  kill $server
  wait $server || true
  server=""
}

echo "== machine"
grep -m1 'model name' /proc/cpuinfo || true
nproc
git rev-parse --short HEAD 2>/dev/null || true

echo "== sample shop"
start=$(seconds)
"$build/emptor" ingest data/sample-shop/products.jsonl \
  data/sample-shop/products.zh-CN.jsonl data/sample-shop/faq.jsonl --data-dir "$work/sample" >"$work/ingest.log"
end=$(seconds)
echo "{\"ingest_seconds\":$(elapsed "$start" "$end")}"
serve "$work/sample"
for clients in 1 16 1 16; do
  "$build/tests/serve_load" assist "$port" $clients 200 data/sample-shop/questions.jsonl
done
"$build/tests/serve_load" search "$port" 1 2000 data/sample-shop/questions.jsonl
stop

echo "== engine"
model=${EMPTOR_BENCH_MODEL:-engine/models/emptor-lm.gguf}
"$build/emptor" bench engine "$model" --threads 0 --report "$pages/engine.html"
"$build/emptor" bench engine "$model" --threads 0 --batching --report "$pages/batching.html"

echo "== OpenAI routes"
start engine serve --listen none --http 127.0.0.1:0 --model "$model" --embedder none
for load in "--rate 4 --duration 20s" "--users 10 --duration 20s"; do
  # shellcheck disable=SC2086 -- the words of a load are arguments
  "$build/emptor" bench serve --url "http://127.0.0.1:$port" $load --input 104 --output 32 \
    --slo ttft=1s,tpot=100ms --report "$pages/serve${load%% *}.html"
done
stop

# measure_catalog NAME DATA_FOLDER: ingest, start, search with 1 and with 4 clients, memory. The
# queries are those of the data set.
measure_catalog() {
  [ -d "$data/$2" ] || return 0
  converter=$(find "$build" -name emptor_dataset_to_jsonl -type f)
  "$converter" "$1" >"$work/$1.jsonl"
  "$converter" "$1-queries" >"$work/$1.queries.jsonl"
  echo "== $1, $(wc -l <"$work/$1.jsonl") products"
  start=$(seconds)
  "$build/emptor" ingest "$work/$1.jsonl" --data-dir "$work/$1" >"$work/ingest.log"
  end=$(seconds)
  echo "{\"ingest_seconds\":$(elapsed "$start" "$end")}"
  tail -1 "$work/ingest.log"
  start=$(seconds)
  serve "$work/$1"
  echo "{\"start_seconds\":$(elapsed "$start" "$(seconds)")}"
  "$build/tests/serve_load" search "$port" 1 2000 "$work/$1.queries.jsonl"
  "$build/tests/serve_load" search "$port" 4 4000 "$work/$1.queries.jsonl"
  stop
}
measure_catalog icecat icecat_chorus
measure_catalog bestbuy bestbuy_retrotech

for bench in "$build"/tests/*/*_bench; do
  [ -x "$bench" ] || continue
  echo "== $(basename "$bench")"
  "$bench" --benchmark_min_time=0.2
done
