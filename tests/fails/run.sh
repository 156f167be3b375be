#!/usr/bin/env bash
# run.sh <compiler> <file with its flags> [file.cpp...]: each section of these files of this folder
# is refused with all its sentences, and its twin compiles; CMakeLists.txt shows a section. All uses
# are compiled in one text and all twins in another, each file in a namespace of its own. A use that
# is not seen to be refused there is compiled without the others, and that counts. As many at a time
# as processors.
set -u

# sections <file>...: a line for each section: its file, its name and its sentences, between tabs.
# Sentences with no section right below them are a line with the number of that line and without
# sentences, and so is the second section of a name.
sections() {
  awk -v opens="$opens" -v OFS='\t' '
    /^\/\/ expect: / { sentences = sentences OFS substr($0, 12); next }
    sentences != "" && /^\/\/ / { sentences = sentences substr($0, 3); next } # goes on
    $0 ~ opens { print FILENAME, $2 (names[$2]++ ? "" : sentences); sentences = "" }
    sentences != "" { print FILENAME, FNR; sentences = "" }' "$@"
}

# text <name> <file>...: the files with the section of this name alone, or with all if it is empty.
# Lines keep their numbers. Includes come first, so that they do nothing inside of the namespaces.
text() {
  local file
  grep -h '^#include' "${@:2}" | sort -u
  for file in "${@:2}"; do
    printf 'namespace in_%s {\n# 1 "%s"\n' "${file%.cpp}" "$file"
    awk -v opens="$opens" -v only="$1" '
      $0 ~ opens { name = $2 }
      { print only == "" || name == "" || name == only ? $0 : "" }' "$file"
    echo '}'
  done
}

# compile <option>...: the text.
compile() {
  LC_ALL=C "$compiler" "@$flags" -fsyntax-only -fmessage-length=0 -fmax-errors=0 "$@" -x c++ -
}

# attribute <words> <folder> <file>...: writes each of the compiler's errors into the folder's file
# of the section whose lines or types it names, or of no_section if it names none or several. An
# error begins with the lines that lead to it (included from, required from) and goes on with lines
# that are indented or notes; any other line begins the next one.
attribute() {
  awk -v opens="$opens" -v words="$1" -v folder="$2" '
    function finish() {
      if (is_error) printf "%s", block >(folder "/" (owner == "" ? "no_section" : owner))
      block = owner = ""
      has_message = is_error = 0
    }
    function belongs_to(section) {
      if (section != "") owner = owner == "" || owner == section ? section : "no_section"
    }
    FILENAME != words {
      if (FNR == 1) name = ""
      if ($0 ~ opens) name = names[$2] = $2
      owners[FILENAME ":" FNR] = name
      next
    }
    has_message && !/^ |: note:/ { finish() }
    {
      block = block $0 "\n"
      if (/: (error|warning|note):/) has_message = 1
      if (/: error:/) is_error = 1
      for (i = 1; i <= NF; ++i) {
        if (match($i, /^[a-z0-9_]+\.cpp:[0-9]+/)) belongs_to(owners[substr($i, 1, RLENGTH)])
        if (match($i, /in_[a-z0-9_]+::[a-z0-9_]+::/) && split(substr($i, RSTART), parts, "::"))
          belongs_to(names[parts[2]])
      }
    }
    END { finish() }' "${@:3}" "$1"
}

# lacking <file> <name> <sentence>...: the first sentence that is not in the errors of this section;
# fails if all are.
lacking() {
  local words='' sentence
  [ ! -f "$work/uses/$2" ] || words=$(<"$work/uses/$2")
  for sentence in "${@:3}"; do
    [[ $words == *"$sentence"* ]] || { echo "$sentence" && return; }
  done
  return 1
}

# check <file> <name> <sentence>...: prints what is wrong with the use, or nothing.
check() {
  local place="tests/fails/$1: $2" sentence
  if [ $# -eq 2 ]; then
    echo "$place: expected '// expect: <sentence>' and below it 'namespace <name of its own> {'"
  elif ! lacking "$@" >/dev/null; then
    return
  elif text "$2" "$1" | compile -DGOSSIP_FAILS 2>"$work/uses/$2"; then
    echo "$place: the forbidden use compiles"
  elif sentence=$(lacking "$@"); then
    printf '%s: refused, but not with the sentence\n  expected: %s\n  got:\n%s\n' "$place" \
      "$sentence" "$(grep -E 'error|required' "$work/uses/$2" | head -n 20)"
  fi
}

compiler=$1 flags=$(realpath "$2") opens='^namespace [a-z0-9_]+ [{]$' work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/uses" "$work/twins"
cd "$(dirname "$0")" || exit 1
shift 2
[ $# -gt 0 ] || set -- *.cpp

text '' "$@" | compile -DGOSSIP_FAILS 2>"$work/words_of_uses" &
if ! text '' "$@" | compile 2>"$work/words_of_twins"; then
  attribute "$work/words_of_twins" "$work/twins" "$@"
  for words in "$work"/twins/*; do
    printf '%s: the twin does not compile:\n%s\n' "$(basename "$words")" \
      "$(grep -E 'error|required' "$words" | head -n 20)"
  done
fi >"$work/faults"
wait
attribute "$work/words_of_uses" "$work/uses" "$@"

sections "$@" >"$work/sections"
while IFS=$'\t' read -r -a section; do
  [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
  check "${section[@]}" >>"$work/faults" &
done <"$work/sections"
wait
[ ! -s "$work/faults" ] || { cat "$work/faults" && exit 1; }
echo "$(wc -l <"$work/sections") forbidden uses are refused with their sentences; twins compile"
