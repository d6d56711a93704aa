#!/bin/sh
# Installs what `make build` built: the executable, the models of the repository, the scripts of deploy/; with --start
# also the systemd units and first settings in /etc/emptor, and starts the service on this host. See docs/deployment.md.
# Usage: deploy/install.sh [--destdir DIR] [--prefix DIR] [--executable FILE] [--start]
#   --prefix /usr/local        --executable build/release/emptor
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
destdir="" prefix=/usr/local executable="$here/build/release/emptor" start=0
while [ $# -gt 0 ]; do
  case "$1" in
    --destdir) destdir=$2; shift 2 ;;
    --prefix) prefix=$2; shift 2 ;;
    --executable) executable=$2; shift 2 ;;
    --start) start=1; shift ;;
    *) echo "usage: install.sh [--destdir DIR] [--prefix DIR] [--executable FILE] [--start]" >&2; exit 2 ;;
  esac
done
root="$destdir$prefix"

install -d "$root/bin" "$root/share/emptor/engine/models" "$root/share/emptor/retrieval/models" \
  "$root/share/emptor/deploy"
install -s -m 755 "$executable" "$root/bin/emptor"
install -m 755 "$here/deploy/entrypoint.sh" "$root/bin/emptor-entrypoint"
install -m 755 "$here/deploy/make-keys.sh" "$root/bin/emptor-make-keys"
install -m 755 "$here/deploy/healthcheck.sh" "$root/bin/emptor-healthcheck"
install -m 644 "$here"/engine/models/*.gguf "$root/share/emptor/engine/models"
install -m 644 "$here"/retrieval/models/*.gguf "$root/share/emptor/retrieval/models"
# The sample shop: its feeds and pictures.
mkdir -p "$root/share/emptor/data/sample-shop"
cp -R "$here"/data/sample-shop/products*.jsonl "$here/data/sample-shop/faq.jsonl" "$here/data/sample-shop/images" \
  "$root/share/emptor/data/sample-shop"
install -m 644 "$here/LICENSE" "$root/share/emptor"

[ "$start" = 1 ] || exit 0
units="$destdir/etc/systemd/system"
install -d "$units" "$destdir/etc/emptor"
for unit in "$here"/deploy/systemd/*.service "$here"/deploy/systemd/*.timer; do
  sed "s|/usr/local/bin|$prefix/bin|" "$unit" >"$units/$(basename "$unit")"
done
for file in "$here"/deploy/systemd/*.yaml; do
  [ -e "$destdir/etc/emptor/$(basename "$file")" ] || install -m 644 "$file" "$destdir/etc/emptor"
done
[ -z "$destdir" ] || exit 0
id emptor >/dev/null 2>&1 ||
  useradd --system --home-dir /var/lib/emptor --no-create-home --shell /usr/sbin/nologin emptor
systemctl daemon-reload
systemctl enable emptor.service emptor-backup.timer
# What runs already runs the executable of before.
systemctl restart emptor.service emptor-backup.timer
systemctl try-restart emptor-gateway.service 'emptor-engine@*.service'
