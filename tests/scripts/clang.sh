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
# compiled header-only and for the companion library of the build, the laws for that library, which
# the build's own compiler made. With sanitizers of that compiler it does not link.
library=$GOSSIP_BUILD/libgossip_own_compiled.a
laws=(d_psgd conformance networks)
objects=("${laws[@]/#/$work/}") objects=("${objects[@]/%/.o}")
linked=("${laws[@]}" main with_library)
if grep -q '^GOSSIP_SANITIZE:STRING=.' "$GOSSIP_BUILD/CMakeCache.txt"; then
  echo "no program with the library: the library of this build has sanitizers"
  linked=()
elif [ ! -f "$library" ]; then
  fault "$library is not built"
  finish
fi
with_library() {
  compiled main tests/main.cpp -O0
  compiled with_library samples/quickstart.cpp -O1 -DGOSSIP_COMPILED
  for file in "${laws[@]}"; do compiled "$file" "tests/exchange/$file.cpp" -O1 -DGOSSIP_COMPILED; done
}
compiled quickstart samples/quickstart.cpp -O3 &
[ ${#linked[@]} -eq 0 ] || with_library
wait
for object in quickstart "${linked[@]}"; do
  [ -f "$work/$object.o" ] || fault "$object is not compiled: $(head -n 20 "$work/$object.log")"
done
[ $failures -eq 0 ] || finish
"$clang" "$work/quickstart.o" "${libraries[@]}" -o "$work/quickstart" || fault "quickstart: not linked"
same_digest "$work/quickstart" "$clang"
[ ${#linked[@]} -gt 0 ] || finish
"$clang" "$work/with_library.o" "$library" "${libraries[@]}" -o "$work/with_library" ||
  fault "quickstart with the library: not linked"
same_digest "$work/with_library" "$clang with the library"
"$clang" "$work/main.o" "${objects[@]}" "$library" "${libraries[@]}" $catch -o "$work/laws" ||
  fault "laws: not linked"
"$work/laws" >"$work/laws.log" 2>&1 || fault "laws: $(tail -n 30 "$work/laws.log")"
finish
