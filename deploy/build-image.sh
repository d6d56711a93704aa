#!/bin/sh
# Builds the image, and pushes it where asked to. Prints the reference of the image as its last line.
# Usage: deploy/build-image.sh [--image NAME] [--registry HOST/PATH] [--tag TAG] [--platform LIST] [--program docker|podman]
#                              [--latest] [--push] [--dry-run]
#   --image emptor            --tag: `git describe`            --platform: that of this machine; a list makes a manifest (docker)
#   --latest                  tags the image `latest`, too
#   --dry-run                 prints the commands and runs none
# Amazon ECR: aws ecr get-login-password | docker login --username AWS --password-stdin ACCOUNT.dkr.ecr.REGION.amazonaws.com
set -eu
cd "$(dirname "$0")/.."
image=emptor registry="" tag="" platform="" program=docker latest=0 push=0 run=""
usage() { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in
    --image | --registry | --tag | --platform | --program)
      [ $# -gt 1 ] || usage
      eval "${1#--}=\$2"; shift 2 ;;
    --latest) latest=1; shift ;;
    --push) push=1; shift ;;
    --dry-run) run=echo; shift ;;
    *) usage ;;
  esac
done
[ "$push" = 0 ] || [ -n "$registry" ] || { echo "--push needs --registry" >&2; exit 2; }
[ -z "$platform" ] || [ "$program" = docker ] || { echo "--platform needs docker (buildx)" >&2; exit 2; }
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
[ -n "$tag" ] || tag=$(git describe --tags --always --dirty 2>/dev/null || echo dev)
name="${registry:+${registry%/}/}$image"
set -- -f deploy/Dockerfile --build-arg "VERSION=$tag" --build-arg "REVISION=$revision" -t "$name:$tag"
[ "$latest" = 0 ] || set -- "$@" -t "$name:latest"

if [ -n "$platform" ]; then
  # Several platforms make one manifest, which only a registry can hold.
  [ "$push" = 0 ] || set -- "$@" --push
  $run docker buildx build --platform "$platform" "$@" .
else
  $run "$program" build "$@" .
  if [ "$push" = 1 ]; then
    $run "$program" push "$name:$tag"
    [ "$latest" = 0 ] || $run "$program" push "$name:latest"
  fi
fi
echo "$name:$tag"
