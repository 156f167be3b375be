#!/bin/sh
# docs.sh [--write]: what README.md, CONTRIBUTING.md and docs/ show and name is what the tree holds.
#   code     a cpp or cmake block follows <!-- quote FILE:REGION... --> and equals those regions:
#            the lines between '// quote REGION' and '// end quote' ('#' in CMake), or a whole FILE,
#            also in a block of text. --write refreshes the blocks instead of comparing them.
#   figures  every file of docs/published/figures/ is quoted by a page.
#   links    relative links lead to files, and #anchors to headings.
#   names    `paths/like.this` exist, in the tree or below include/gossip/.
#   tables   the first column of a table after <!-- members HEADER --> names members of that header,
#            after <!-- members FOLDER/ --> `x::member` of FOLDER/x.hpp; under 'default', `code` is
#            what the header gives the member; `types and names` of parameters are the header's.
#   described  the members that a header describes (core/described.hpp) are in a table of it.
#   methods  every header of include/gossip/exchange/ has a row in docs/algorithms.md, and a section in
#            docs/equations.md that names it.
#   pages    every docs/*.md that a sentence of the sources names exists.
set -u
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C

write=no
case ${1:-} in
  '') ;;
  --write) write=yes ;;
  *)
    echo "docs.sh knows only --write, not '$1'" >&2
    exit 2
    ;;
esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: >"$work/faults"
: >"$work/rows"
fault() { echo "$*" >>"$work/faults"; }

# with_quotes FILE: the file with every quoted block as the sources have it.
with_quotes() {
  awk -v file="$1" -v faults="$work/faults" '
    function fault(text) { print file ":" NR ": " text >>faults }
    function quote(ref,    path, region, line, inside, found, n, i, indent, least, lines) {
      path = ref; region = ""
      if (match(ref, /:[^:\/]*$/)) {
        path = substr(ref, 1, RSTART - 1)
        region = substr(ref, RSTART + 1)
      }
      inside = found = (region == "")
      n = 0; least = 999
      while ((getline line <path) > 0) {
        if (line ~ /^[ \t]*(\/\/|#) end quote$/) { if (region != "") inside = 0; continue }
        if (line ~ /^[ \t]*(\/\/|#) quote [a-z_]+$/) {
          if (region != "" && line ~ (" quote " region "$")) inside = found = 1
          continue
        }
        if (!inside) continue
        lines[++n] = line
        if (line !~ /[^ ]/) continue
        match(line, /^ */)
        if (RLENGTH < least) least = RLENGTH
      }
      close(path)
      if (!found || n == 0) fault("nothing to quote: " ref)
      for (i = 1; i <= n; ++i) print substr(lines[i], least + 1)
    }
    skipping { if ($0 ~ /^```$/) { skipping = 0; print }; next }
    other { if ($0 ~ /^```$/) other = 0; print; next }
    /^<!-- quote .* -->$/ { print; refs = substr($0, 12, length($0) - 15); next }
    /^```(cpp|c\+\+|cmake)/ || (refs != "" && /^```text/) {
      print
      if (refs == "") { fault("a block of code that is no quote"); other = 1; next }
      count = split(refs, each, " ")
      for (k = 1; k <= count; ++k) quote(each[k])
      refs = ""; skipping = 1
      next
    }
    /^```/ { other = 1 }
    { if (refs != "") fault("a quote without its block of code"); refs = ""; print }' "$1"
}

# text FILE: its lines outside of fenced blocks, as 'number<TAB>line'.
text() { awk '/^```/ { inside = !inside; next } !inside { print NR "\t" $0 }' "$1"; }

# anchors FILE: its headings as GitHub makes anchors of them.
anchors() {
  text "$1" | cut -f 2- | sed -n 's/^##* *//p' | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

check_code() {
  before=$(wc -l <"$work/faults")
  with_quotes "$1" >"$work/page"
  cmp -s "$1" "$work/page" && return
  [ "$before" = "$(wc -l <"$work/faults")" ] || return  # nothing is written over a page with faults
  if [ $write = yes ]; then
    cat "$work/page" >"$1"
    echo "refreshed $1"
  else
    fault "$1: differs from what it quotes; 'sh tests/scripts/docs.sh --write' refreshes it:"
    diff "$1" "$work/page" | head -n 20 >>"$work/faults"
  fi
}

check_links() {
  text "$1" | sed 's/`[^`]*`//g' | grep -oE '^[0-9]+|\]\([^)]+\)' | while read -r found; do
    case $found in
      *'](http://'* | *'](https://'* | *'](mailto:'*) continue ;;
      ']('*) ;;
      *)
        line=$found
        continue
        ;;
    esac
    target=${found#](}
    target=${target%)}
    path=${target%%#*}
    page=$1
    [ -z "$path" ] || page=$(dirname "$1")/$path
    if [ ! -e "$page" ]; then
      fault "$1:$line: a link to $target, which does not exist"
    elif [ "$path" != "$target" ] && ! anchors "$page" | grep -qxF -- "${target#*#}"; then
      fault "$1:$line: a link to $target, but there is no such heading"
    fi
  done
}

check_names() {
  text "$1" | grep -oE '^[0-9]+|`[^` ]+`' | tr -d '`' | while read -r found; do
    case $found in
      *[!0-9]*) ;;
      *)
        line=$found
        continue
        ;;
    esac
    case $found in
      *[!A-Za-z0-9_./-]* | /* | build/* | */build/*) ;;
      */* | *.hpp | *.md)
        [ -e "${found#./}" ] || [ -e "include/gossip/$found" ] ||
          fault "$1:$line: names $found, which does not exist"
        ;;
    esac
  done
}

check_tables() {
  awk -F ' *[|] *' '
    /^<!-- members .* -->$/ { header = $0; gsub(/^<!-- members | -->$/, "", header); row = 0; next }
    header == "" { next }
    !/^\|/ { if (row > 0) header = ""; next }
    ++row == 1 { column = 0; for (i = 2; i < NF; ++i) if ($i == "default") column = i; next }
    row == 2 { next }
    {
      given = column && $column ~ /^`[^`]+`$/ ? $column : ""
      count = split($2, part, "`")
      if (count < 2) print NR, header, "-"
      for (k = 2; k <= count; k += 2) {
        gsub(/[ (<].*/, "", part[k])
        print NR, header, part[k], substr(given, 2, length(given) - 2)
      }
    }' "$1" | while read -r line header name default; do
    case $header in
      */) header=$header${name%%::*}.hpp ;;
    esac
    echo "$header ${name##*::}" >>"$work/rows"
    if [ ! -f "$header" ]; then
      fault "$1:$line: no header $header"
    elif ! grep -qw -- "${name%%::*}" "$header" || ! grep -qw -- "${name##*::}" "$header"; then
      fault "$1:$line: $header has no '$name'"
    elif [ -n "$default" ] && ! grep -w -- "${name##*::}" "$header" | grep -qF -- "$default"; then
      fault "$1:$line: $header does not give $name the default $default"
    fi
  done
}

# Each `function(type parameter, ...)` in the first column: the header has such parameters.
check_parameters() {
  awk -F ' *[|] *' '
    /^<!-- members .*[^/] -->$/ { header = $0; gsub(/^<!-- members | -->$/, "", header); row = 0; next }
    header == "" { next }
    !/^\|/ { if (row > 0) header = ""; next }
    ++row <= 2 { next }
    {
      count = split($2, part, "`")
      for (k = 2; k <= count; k += 2) {
        if (part[k] !~ /[(].*[)]/) continue
        gsub(/^[^(]*[(]|[)][^)]*$/, "", part[k])
        parameters = split(part[k], one, ", *")
        for (m = 1; m <= parameters; ++m)
          if (one[m] ~ / /) print NR, header, one[m]
      }
    }' "$1" | while read -r line header parameter; do
    tr '\n' ' ' <"$header" | sed 's/gossip:://g; s/<[^<>]*>//g; s/ *\/\/ / /g' | grep -qwF -- "$parameter" ||
      fault "$1:$line: $header has no parameter '$parameter'"
  done
}

# Each member that a header describes has a row in a table of that header.
check_described() {
  grep -rl 'described(' include/gossip | while read -r header; do
    sed '/^ *\/\//d' "$header" | tr '\n' ' ' | grep -oE 'described\( *"[a-z_]+", *&[a-z_]+::[a-z_]+' | while read -r found; do
      grep -qxF -- "$header ${found##*::}" "$work/rows" ||
        fault "$header: describes ${found##*&}, but no table of docs/ that names the header has it"
    done
  done
}

# Each exchange has a row in the table of algorithms, and its equations.
check_methods() {
  for header in include/gossip/exchange/*.hpp; do
    grep -qF -- "| \`${header#include/gossip/}\` |" docs/algorithms.md ||
      fault "$header: docs/algorithms.md has no row for it"
    grep -qF -- "\`${header#include/gossip/}\`" docs/equations.md ||
      fault "$header: docs/equations.md does not name it"
  done
}

# What programs printed is on a page.
check_figures() {
  for file in docs/published/figures/*.txt; do
    grep -rqxF -- "<!-- quote $file -->" docs || fault "$file: no page quotes it"
  done
}

check_pages() {
  grep -rnoE 'docs/[a-z_/]+\.md' include samples tests cmake bench CMakeLists.txt CONTRIBUTING.md |
    sort -u -t : -k 1,1 -k 3 | while IFS=: read -r file line page; do
    [ -f "$page" ] || fault "$file:$line: names $page, which does not exist"
  done
}

count=0
for page in README.md CONTRIBUTING.md $(find docs -name '*.md' | sort); do
  check_code "$page"
  check_links "$page"
  check_names "$page"
  check_tables "$page"
  check_parameters "$page"
  count=$((count + 1))
done
check_described
check_methods
check_figures
check_pages

if [ -s "$work/faults" ]; then
  cat "$work/faults"
  exit 1
fi
echo "$count pages: code, links, names, tables and the pages that the sources name are right"
