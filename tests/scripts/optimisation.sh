#!/usr/bin/env bash
# No bit of a result depends on the optimisation: the quickstart at -O3, or at -O1 where the build has
# -O3, has the digest that it has in the build.
set -u
. "$(dirname "$0")/checks.bash"
. "$(dirname "$0")/quickstart.bash"

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
other=-O3
grep -q '^CMAKE_CXX_FLAGS_RELEASE:[A-Z]*=.*-O3' "$GOSSIP_BUILD/CMakeCache.txt" && other=-O1
# Some warnings of g++ 12 are wrong about its own library.
"$compiler" "${flags[@]}" -Wno-error $other -DNDEBUG samples/quickstart.cpp "${libraries[@]}" \
  -o "$work/quickstart" >"$work/log" 2>&1 || fault "$compiler $other: $(head -n 20 "$work/log")"
[ $failures -gt 0 ] || same_digest "$work/quickstart" "$compiler $other"
finish
