#!/usr/bin/env bash
# Runs every libFuzzer target for a while: tests/fuzz/run.sh BUILD_DIR [SECONDS] [TARGET...]
# Starts from tests/fuzz/corpus/<target>; what it finds on the way stays in BUILD_DIR/fuzz/corpus, so that
# the next run goes on from there. A crash is written to BUILD_DIR/fuzz/crash-<target>-* and ends with 1:
# mend it and add the file, made small, to tests/fuzz/corpus/<target>, where `make test` replays it.
set -euo pipefail
build=$1
seconds=${2:-60}
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 2 ]; then targets=("${@:3}"); else
  targets=()
  for source in "$here"/*_fuzzer.cc; do targets+=("$(basename "$source" _fuzzer.cc)"); done
fi

failed=()
for target in "${targets[@]}"; do
  grown=$build/fuzz/corpus/$target
  mkdir -p "$grown"
  log=$build/fuzz/$target.log
  if "$build/fuzz/${target}_fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$build/fuzz/crash-$target-" \
    "$grown" "$here/corpus/$target" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%-20s %s s, %s runs, no crash\n' "$target" "$seconds" "$runs"
  else
    printf '%-20s FAILED, see %s\n' "$target" "$log"
    tail -n 25 "$log"
    failed+=("$target")
  fi
done
[ ${#failed[@]} -eq 0 ]
