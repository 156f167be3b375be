#!/usr/bin/env bash
# What is missing on the compiler's command line or in a program is one sentence: C++20, a package,
# RTTI, runs that the library lacks as an error, optimisation and uncontracted products as a run begins.
set -u
. "$(dirname "$0")/checks.bash"

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
blas=$(sed -n 's/^CBLAS_LIBRARY:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
flags=$GOSSIP_BUILD/tests/fails/flags # those of gossip::gossip

printf '#include <gossip/gossip.hpp>\nint main() {}\n' >"$work/umbrella.cpp"
# refused <sentence> <flags>: the one error.
refused() {
  local said
  said=$("$compiler" "@$2" -fsyntax-only "$work/umbrella.cpp" 2>&1) && fault "$2: compiles"
  [ "$(grep -c 'error' <<<"$said")" -le 2 ] && grep -qF "$1" <<<"$said" || fault "$2: $said"
}
# The compile line of the page for those without CMake, as far as headers and names go.
if [ -f /usr/include/x86_64-linux-gnu/openblas-openmp/cblas.h ]; then
  line=$(grep '^g++ ' docs/first-exchange.md)
  words=$($compiler ${line#g++ } -fsyntax-only 2>&1) || fault "docs/first-exchange.md: $words"
fi
sed 's/^-std=c++20/-std=c++17/' "$flags" >"$work/older"
{ grep -v -e '^-I' -e '^-idirafter' "$flags" && printf -- '-nostdinc\n-I%s\n' "$PWD/include"; } >"$work/without"
refused 'gossip: needs C++20; compile with -std=c++20' "$work/older"
refused 'gossip: needs the headers of Thrust' "$work/without"
mkdir -p "$work/thrust" && : >"$work/thrust/version.h" # and of no other package
{ cat "$work/without" && echo "-I$work"; } >"$work/with_thrust"
refused 'gossip: needs the headers of TBB (oneTBB)' "$work/with_thrust"
for flag in rtti exceptions; do
  { cat "$flags" && echo "-fno-$flag"; } >"$work/no_$flag"
done
refused 'gossip: needs run-time type information; compile without -fno-rtti' "$work/no_rtti"
refused 'gossip: needs exceptions; compile without -fno-exceptions' "$work/no_exceptions"

cat >"$work/run.cpp" <<'TEXT'
#include <gossip/exchange/none.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>
int main() {
  gossip::simulator network{gossip::ring{.nodes = 3}, gossip::quadratic<1>{},
                            gossip::sgd{.rate = 0.1}, gossip::none{}};
  for (int k = 0; k < 2; ++k) network.run({.stop = gossip::rounds{1}});
}
TEXT
printf '#include <gossip/core/compiled.hpp>\nint main() { gossip::detail::warn_of_program(); }\n' \
  >"$work/begin.cpp"
# A run that gossip::compiled does not have, in a program that links it.
{
  printf '#include <gossip/backend/serial.hpp>\n'
  printf 'struct device : gossip::serial { static constexpr bool on_device = true; };\n'
  sed 's/gossip::none{}/gossip::none{}, device{}/' "$work/run.cpp"
} >"$work/device.cpp"
{ cat "$flags" && echo -DGOSSIP_COMPILED; } >"$work/library"
words=$("$compiler" "@$work/library" -fsyntax-only "$work/device.cpp" 2>&1) && fault "a run by a device compiles"
grep -qF 'for ranks and devices #include <gossip/simulator/runs.hpp>' <<<"$words" || fault "$words"
sed '1i #include <gossip/simulator/runs.hpp>' "$work/device.cpp" >"$work/own.cpp"
words=$("$compiler" "@$work/library" -fsyntax-only "$work/own.cpp" 2>&1) || fault "$words"
# said <program> <flag>...: what it prints, compiled so.
said() {
  local program=$1
  shift
  "$compiler" "@$flags" "$@" "$work/$program.cpp" -o "$work/$program" "$blas" -ltbb -lz 2>&1
  "$work/$program" 2>&1
}
slow=$(said run -O0)
[ "$(grep -c 'compiled without optimization and is some 30 times slower' <<<"$slow")" -eq 1 ] ||
  fault "-O0: $slow"
quick=$(said begin -O2)
[ -z "$quick" ] || fault "-O2: $quick"
if grep -qw fma /proc/cpuinfo; then
  contracted=$(said begin -O2 -mfma -ffp-contract=fast)
  grep -q 'compiled with contracted products' <<<"$contracted" || fault "contracted: $contracted"
fi
finish
