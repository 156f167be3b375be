#!/usr/bin/env bash
# Headers that come by -I, as a user's own, are clean under warnings that gossip's own code is not
# compiled with, and under sanitizers: all of them as they are read, and what a run instantiates.
set -u
. "$(dirname "$0")/checks.bash"
. "$(dirname "$0")/quickstart.bash"

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
warnings=(-Wold-style-cast -Wdouble-promotion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
"$compiler" --version | head -n 1 | grep -qi clang || warnings+=(-Wuseless-cast -Wlogical-op -Wduplicated-cond)

# clean <what> <argument>...: no warning in a file of gossip.
clean() {
  local what=$1 said
  shift
  said=$("$compiler" "${flags[@]}" -Wno-error "$@" -o /dev/null 2>&1) || fault "$what: $(head -n 20 <<<"$said")"
  said=$(grep -E 'gossip/[a-z/_0-9]+\.hpp:[0-9]+:[0-9]+: warning' <<<"$said" | sort -u)
  [ -z "$said" ] || fault "$what: $said"
}
# Optimised, for without it intrinsics are macros, whose casts count as the caller's.
clean samples/quickstart.cpp "${warnings[@]}" -O1 -fsyntax-only samples/quickstart.cpp
cat >"$work/run.cpp" <<'TEXT'
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>
int main() {
  gossip::simulator network{gossip::ring{.nodes = 3}, gossip::quadratic<1>{},
                            gossip::sgd{.rate = 0.1}, gossip::d_psgd{}};
  network.run({.stop = gossip::rounds{1}});
}
TEXT
clean 'sanitizers' -O1 -fsanitize=address,undefined -c "$work/run.cpp"
finish
