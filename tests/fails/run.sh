#!/usr/bin/env bash
# run.sh <compiler> <file with its flags> [file.cpp...]: each forbidden use of this folder is
# refused with the sentences that its first lines expect, and its twin compiles. All uses are
# compiled in one text and all twins in another, each in a namespace of its own, which takes a tenth
# of the time. A use that is not seen to be refused there is compiled alone, and that counts; so is
# each twin if their text does not compile. As many files at a time as processors.
set -u

# together <file>...: the text of all files. Their includes come first, so that they do nothing
# inside of the namespaces.
together() {
  local file number=0
  grep -h '^ *# *include' "$@" | sed "s|\"\.\./|\"$(cd "$folder/.." && pwd)/|" | sort -u
  for file in "$@"; do
    number=$((number + 1))
    printf 'namespace file_%d {\n#include "%s"\n}\n' $number "$(realpath "$file")"
  done
}

# own_errors <file>: from the words about the text of all uses, the errors that name a line of this
# file and of no other. An error begins with the lines that lead to it (included from, required
# from) and goes on with lines that are indented or notes; any other line begins the next one.
own_errors() {
  awk -v own="$(realpath "$1"):" '
    function finish() {
      if (is_error && names_own && !names_other) printf "%s", block
      block = ""
      has_message = is_error = names_own = names_other = 0
    }
    has_message && !/^ |: note:/ { finish() }
    {
      block = block $0 "\n"
      if (/: (error|warning|note):/) has_message = 1
      if (/: error:/) is_error = 1
      for (i = 1; i <= NF; ++i)
        if ($i ~ /\.cpp:[0-9]/) {
          if (index($i, own) == 1) names_own = 1
          else names_other = 1
        }
    }
    END { finish() }' "$work/words"
}

# expected <file>: its sentences.
expected() {
  sed -n '/^\/\/ expect:/!q; s|^// expect: *||p' "$1"
}

# refused_together <file>: whether its own errors in the text of all uses have all its sentences.
refused_together() {
  local sentence words
  local -a sentences
  mapfile -t sentences < <(expected "$1")
  words=$(own_errors "$1")
  [ ${#sentences[@]} -gt 0 ] && [ -n "$words" ] || return 1
  for sentence in "${sentences[@]}"; do
    [ -n "$sentence" ] && grep -qF -- "$sentence" <<<"$words" || return 1
  done
}

# check <compiler> <flags> <file>: prints what is wrong, or nothing.
check() {
  local compiler=$1 flags=$2 file=$3 name sentence words
  local -a sentences
  name=tests/fails/$(basename "$file")
  mapfile -t sentences < <(expected "$file")
  if [ ${#sentences[@]} -eq 0 ] || printf '%s\n' "${sentences[@]}" | grep -qx ''; then
    echo "$name:1: the first lines must be '// expect: <sentence>'"
    return 1
  fi
  if [ "$twins_compile" = no ] && ! words=$("$compiler" "@$flags" -fsyntax-only "$file" 2>&1); then
    printf '%s: the twin does not compile:\n%s\n' "$name" "$(head -n 20 <<<"$words")"
    return 1
  fi
  ! refused_together "$file" || return 0
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
export -f own_errors expected refused_together check

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

together "$@" | LC_ALL=C "$compiler" "@$flags" -fsyntax-only -fmessage-length=0 -fmax-errors=0 \
  -DGOSSIP_FAILS -x c++ - 2>"$work/words" &
twins_compile=yes
together "$@" | "$compiler" "@$flags" -fsyntax-only -x c++ - 2>/dev/null || twins_compile=no
export twins_compile
wait

alone=()
for file in "$@"; do
  refused_together "$file" || alone+=("$file")
done
# For more than three, a precompiled header takes less time than it saves.
grep -h '^# *include <gossip/' "$@" | sort -u >"$work/headers.hpp"
if [ ${#alone[@]} -gt 3 ]; then
  "$compiler" "@$flags" -x c++-header "$work/headers.hpp" -o "$work/headers.hpp.gch" || exit 1
fi
[ $twins_compile = yes ] || alone=("$@")
if [ ${#alone[@]} -eq 0 ] || printf '%s\0' "${alone[@]}" |
  xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$@"' check "$compiler" "$flags"; then
  echo "$# forbidden uses are refused, each with its sentence; their twins compile"
else
  exit 1
fi
