#!/usr/bin/env bash
# run.sh <compiler> <file with its flags> [file.cpp...]: each forbidden use of this folder is refused
# with the sentences that its first lines expect, and its twin compiles. As many files at a time as
# processors; twins all in one text, each in a namespace of its own, which takes a twentieth of the
# time. If that text does not compile, each twin is compiled alone. The library's headers are read
# once: each use gets them from a precompiled header.
set -u

# twins <file>...: the text of all twins.
twins() {
  local file number=0
  grep -h '^# *include' "$@" | sed "s|\"\.\./|\"$(cd "$folder/.." && pwd)/|" | sort -u
  for file in "$@"; do
    number=$((number + 1))
    printf 'namespace twin_%d {\n#include "%s"\n}\n' $number "$(realpath "$file")"
  done
}

# check <compiler> <flags> <file>: prints what is wrong, or nothing.
check() {
  local compiler=$1 flags=$2 file=$3 name sentence words
  local -a sentences
  name=tests/fails/$(basename "$file")
  mapfile -t sentences < <(sed -n '/^\/\/ expect:/!q; s|^// expect: *||p' "$file")
  if [ ${#sentences[@]} -eq 0 ] || printf '%s\n' "${sentences[@]}" | grep -qx ''; then
    echo "$name:1: the first lines must be '// expect: <sentence>'"
    return 1
  fi
  if [ "$twins_compile" = no ] && ! words=$("$compiler" "@$flags" -fsyntax-only "$file" 2>&1); then
    printf '%s: the twin does not compile:\n%s\n' "$name" "$(head -n 20 <<<"$words")"
    return 1
  fi
  if words=$("$compiler" "@$flags" -include "$work/headers.hpp" -fsyntax-only -fmessage-length=0 \
    -DGOSSIP_FAILS "$file" 2>&1); then
    echo "$name: the forbidden use compiles"
    return 1
  fi
  for sentence in "${sentences[@]}"; do
    if ! grep -qF -- "$sentence" <<<"$words"; then
      printf '%s: refused, but not with the sentence\n  expected: %s\n  got:\n%s\n' "$name" \
        "$sentence" "$(grep -E 'error|required' <<<"$words" | head -n 20)"
      return 1
    fi
  done
}
export -f check

compiler=$1 flags=$2
shift 2
folder=$(dirname "$0")
[ $# -gt 0 ] || set -- "$folder"/*.cpp
if [ ! -e "$1" ]; then
  echo "skipped: tests/fails holds no forbidden use yet"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work
grep -h '^# *include <gossip/' "$@" | sort -u >"$work/headers.hpp"
"$compiler" "@$flags" -x c++-header "$work/headers.hpp" -o "$work/headers.hpp.gch" || exit 1
twins_compile=yes
twins "$@" | "$compiler" "@$flags" -fsyntax-only -x c++ - 2>/dev/null || twins_compile=no
export twins_compile
if printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$@"' check "$compiler" "$flags"; then
  echo "$# forbidden uses are refused, each with its sentence; their twins compile"
else
  exit 1
fi
