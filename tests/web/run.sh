#!/bin/sh
# Tests the pages of a real service in a browser. With EMPTOR_URL: of the one that runs there.
# Without: of build/release/emptor, started for the test on free ports with the sample shop.
# Screenshots go to build/screenshots.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

if [ -z "${EMPTOR_URL:-}" ]; then
  emptor=${EMPTOR_BINARY:-build/release/emptor}
  [ -x "$emptor" ] || { echo "tests/web: $emptor is not built, and EMPTOR_URL names no service" >&2; exit 1; }
  ports=$(node -e '
    const net = require("node:net");
    const open = () => new Promise((done) => {
      const server = net.createServer().listen(0, "127.0.0.1", () => done(server));
    });
    Promise.all([open(), open()]).then((servers) => {
      console.log(servers.map((server) => server.address().port).join(" "));
      servers.forEach((server) => server.close());
    });')
  listen=127.0.0.1:${ports% *}
  admin=127.0.0.1:${ports#* }
  data=$(mktemp -d)
  server=
  trap '[ -z "$server" ] || { kill $server 2>/dev/null; wait $server 2>/dev/null; }; rm -rf "$data"' EXIT
  trap 'exit 1' INT TERM
  for feed in products products.zh-CN faq; do
    "$emptor" ingest "data/sample-shop/$feed.jsonl" --data-dir "$data"
  done
  "$emptor" serve --data-dir "$data" --listen "$listen" --admin-listen "$admin" >"$data/log" 2>&1 &
  server=$!
  for _ in $(seq 1 300); do
    curl -fsS "http://$admin/readyz" >/dev/null 2>&1 && break
    kill -0 $server 2>/dev/null || { cat "$data/log" >&2; exit 1; }
    sleep 0.2
  done
  curl -fsS "http://$admin/readyz" >/dev/null || { cat "$data/log" >&2; exit 1; }
  EMPTOR_URL=http://$listen
  export EMPTOR_URL
fi

cd "$here"
[ -d node_modules/playwright-core ] || npm install --silent --no-audit --no-fund
node --test browser/shopping_test.js
