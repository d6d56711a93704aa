#!/bin/sh
# Makes the keys that the parts of a deployment share, in a new folder, each file readable by its owner alone:
#   admin.key    key of the operator, and of Prometheus for /metrics
#   server.key   key with which assistant, gateway and engines call each other, and feeds are sent
#   keys.json, secret   what the services recognise issued keys by
# Usage: deploy/make-keys.sh FOLDER      (EMPTOR: the executable, `emptor` of the path otherwise)
# Kubernetes: kubectl create secret generic emptor-keys --from-file=FOLDER
set -eu
[ $# = 1 ] || { echo "usage: make-keys.sh FOLDER" >&2; exit 2; }
emptor=${EMPTOR:-emptor}
[ ! -e "$1/keys.json" ] || { echo "$1: has keys already" >&2; exit 0; }

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The text of an issued key is in the reply, once.
issue() {
  "$emptor" key issue "$1" --name "$2" --data-dir "$work/data" 2>/dev/null | sed -n 's/.*"key":"\([^"]*\)".*/\1/p'
}
mkdir -p "$1"
printf %s "$(issue admin operator)" >"$1/admin.key"
printf %s "$(issue server deployment)" >"$1/server.key"
cp "$work/data/keys/secret" "$1/secret"
cp "$work/data/keys/keys.json" "$1/keys.json"
for file in admin.key server.key secret keys.json; do
  [ -s "$1/$file" ] || { echo "$1/$file: could not be made" >&2; exit 1; }
done
