#!/bin/sh
# Lists the libraries that a program names itself, each with the Debian package that has it: "libz.so.1 zlib1g".
# Usage: tests/deploy/library_packages.sh PROGRAM
set -eu
PATH=$PATH:/usr/sbin:/sbin  # of ldconfig
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objdump -p "$1" | awk '/NEEDED/ {print $2}' >"$work/names"
ldconfig -p | awk 'NR == FNR {wanted[$1]; next} ($1 in wanted) && !seen[$1]++ {print $1, $NF}' "$work/names" - >"$work/files"
# Packages list a file by the name of before or after links, with or without /usr.
while read -r name file; do
  for path in "$file" "$(realpath "$file")"; do
    echo "$path $name"
    echo "${path#/usr} $name"
  done
done <"$work/files" | sort -u >"$work/paths"
cut -d' ' -f1 "$work/paths" | xargs dpkg -S 2>/dev/null |
  sed -n 's/^\([^:,]*\)\(:[a-z0-9]*\)\{0,1\}: \(.*\)$/\3 \1/p' | sort >"$work/packages"
join "$work/paths" "$work/packages" | awk '!seen[$2]++ {print $2, $3}'
