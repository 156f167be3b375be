#!/usr/bin/env bash
# clang from version 16 on compiles the quickstart, with the umbrella header in it, and the laws of
# D-PSGD without a warning; the laws hold, and the quickstart has the digest that the build's own
# compiler gives it.
set -u
. "$(dirname "$0")/checks.bash"
. "$(dirname "$0")/quickstart.bash"

clang=''
for version in '' -22 -21 -20 -19 -18 -17 -16; do
  found=$(command -v clang++$version) || continue
  [ "$("$found" -dumpversion | cut -d. -f1)" -ge 16 ] && clang=$found && break
done
if [ -z "$clang" ]; then
  echo "skipped: no clang++ from version 16 on is installed"
  exit 77
fi
catch=''
pkg-config --exists 'catch2 >= 3' 2>/dev/null && catch=-lCatch2
# clang 19 calls what it finds of processors with AVX10.1 an invalid combination: not a word of ours.
"$clang" "${flags[@]}" -fsyntax-only -x c++ /dev/null 2>/dev/null || flags+=(-Wno-invalid-feature-combination)

# compiled <object> <file> <flag>...
compiled() {
  "$clang" "${flags[@]}" "${@:3}" -DNDEBUG -c -o "$work/$1.o" "$2" >"$work/$1.log" 2>&1 ||
    fault "$clang, $2: $(head -n 20 "$work/$1.log")"
}

# Two at a time; a fault in the background is found by the object that is missing. The quickstart is
# header-only, the laws link the companion library as the build's own compiler made it.
laws=(d_psgd conformance networks)
objects=("${laws[@]/#/$work/}") objects=("${objects[@]/%/.o}")
{ compiled quickstart samples/quickstart.cpp -O3; compiled main tests/main.cpp -O0; } &
for file in "${laws[@]}"; do compiled "$file" "tests/exchange/$file.cpp" -O1 -DGOSSIP_COMPILED; done
wait
for object in quickstart main "${laws[@]}"; do
  [ -f "$work/$object.o" ] || fault "$object is not compiled: $(head -n 20 "$work/$object.log")"
done
[ $failures -eq 0 ] || finish
"$clang" "$work/quickstart.o" "${libraries[@]}" -o "$work/quickstart" || fault "quickstart: not linked"
"$clang" "$work/main.o" "${objects[@]}" "$GOSSIP_BUILD/libgossip_own_compiled.a" \
  "${libraries[@]}" $catch -o "$work/laws" || fault "laws: not linked"
"$work/laws" >"$work/laws.log" 2>&1 || fault "laws: $(tail -n 30 "$work/laws.log")"

same_digest "$work/quickstart" "$clang"
finish
