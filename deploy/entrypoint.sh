#!/bin/sh
# Entry point of the image: takes the keys and feeds of a deployment into the data directory, then becomes `emptor`.
#   EMPTOR_DATA    data directory (/var/lib/emptor), the `data_dir` of the settings
#   EMPTOR_KEYS    folder that make-keys.sh made; empty: the process makes keys of its own
#   EMPTOR_KEEP_KEYS=1  leaves keys alone that the data directory has: for directories that outlive the container
#   EMPTOR_FEEDS   folder whose feeds are imported into the shop "default" before the start; empty: none
#   EMPTOR_SAMPLE_SHOP=1  imports the sample shop of the image
set -eu
data=${EMPTOR_DATA:-/var/lib/emptor}
sample=${EMPTOR_SHARE_DIR:-/usr/local/share/emptor}/data/sample-shop

if [ -n "${EMPTOR_KEYS:-}" ] && { [ "${EMPTOR_KEEP_KEYS:-0}" != 1 ] || [ ! -e "$data/keys/keys.json" ]; }; then
  umask 077
  mkdir -p "$data/keys"
  cat "$EMPTOR_KEYS/admin.key" >"$data/admin.key"
  cat "$EMPTOR_KEYS/secret" >"$data/keys/secret"
  cat "$EMPTOR_KEYS/keys.json" >"$data/keys/keys.json"
  umask 022
fi

# The settings name the embedder, which imports need, too.
settings="" before=""
for word in "$@"; do
  [ "$before" != --config ] || settings=$word
  before=$word
done

# The first process of a container gets no signal that it does not catch: SIGTERM ends the import that runs, then this script.
running=""
trap '[ -z "$running" ] || kill "$running" || :; wait; exit 143' TERM

# A feed that cannot be imported leaves the records that the shop has: the service starts all the same.
import() {
  for feed in "$1"/*; do
    [ -f "$feed" ] || continue
    emptor ingest "$feed" ${settings:+--config "$settings"} --data-dir "$data" &
    running=$!
    wait "$running" || echo "$feed: not all of it was imported" >&2
    running=""
  done
}
[ "${EMPTOR_SAMPLE_SHOP:-0}" != 1 ] || import "$sample"
[ -z "${EMPTOR_FEEDS:-}" ] || import "$EMPTOR_FEEDS"

exec emptor "$@"
