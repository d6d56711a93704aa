#!/bin/bash
# Exit code 0 while the process answers on its admin port: HEALTHCHECK of the image. Debian's base image has no curl.
# Usage: healthcheck.sh [PORT [PATH]]      (8081, /healthz; EMPTOR_ADMIN_PORT)
set -eu
port=${1:-${EMPTOR_ADMIN_PORT:-8081}}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "${2:-/healthz}" >&3
read -r -t 3 _ code _ <&3
[ "$code" = 200 ]
