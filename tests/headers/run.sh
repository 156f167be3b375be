#!/usr/bin/env bash
# run.sh <compiler> <file with its flags> <file with headers>: each header compiles alone and may be
# included twice. As many at a time as processors.
set -u

alone() {
  local said
  said=$(printf '#include <%s>\n' "$2" "$2" | LC_ALL=C "$compiler" "@$1" -fsyntax-only -x c++ - 2>&1) ||
    printf '%s does not compile alone:\n%s\n' "$2" "$(grep -m 3 error <<<"$said")"
}
export -f alone
export compiler=$1
failed=$(xargs -P "$(nproc)" -I{} bash -c 'alone "$@"' bash "$2" {} <"$3")
[ -z "$failed" ] || { echo "$failed" && exit 1; }
echo "$(wc -l <"$3") headers compile alone"
