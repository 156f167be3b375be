#!/usr/bin/env bash
# run.sh <compiler> <file with its flags> <file with headers>: each header compiles alone and may be
# included twice.
set -u

compiler=$1 flags=$2 headers=$3 failed=0
while read -r header; do
  said=$(printf '#include <%s>\n' "$header" "$header" |
    LC_ALL=C "$compiler" "@$flags" -fsyntax-only -x c++ - 2>&1) && continue
  failed=1
  printf '%s does not compile alone:\n%s\n' "$header" "$(grep -m 3 error <<<"$said")"
done <"$headers"
[ $failed -eq 1 ] || echo "$(wc -l <"$headers") headers compile alone"
exit $failed
