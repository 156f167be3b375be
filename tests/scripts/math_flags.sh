#!/usr/bin/env bash
# Flags by which a compiler computes other numbers than those that are written: refused as a file is
# compiled, where macros tell, else as a run begins, by the name of the file. Harmless ones compile.
set -u
. "$(dirname "$0")/checks.bash"

cat >"$work/begin.cpp" <<'TEXT'
#include <cstdio>
#include <exception>
#include <gossip/core/node.hpp>
int main() try {
  gossip::detail::require_arithmetic();
  std::puts("as it is written");
} catch (std::exception const &refused) {
  std::puts(refused.what());
}
TEXT
printf '#include <gossip/core/elementary.hpp>\ndouble x = gossip::elementary::log(2.0);\n' >"$work/small.cpp"
printf '#include <gossip/core/node.hpp>\n' >"$work/file.cpp"

# begun <compiler> <flags>: what a program says whose other file has these flags.
begun() {
  # shellcheck disable=SC2086
  "$1" -std=c++20 -O2 -I include $2 -c "$work/file.cpp" -o "$work/file.o" &&
    "$1" -std=c++20 -O2 -I include "$work/begin.cpp" "$work/file.o" -o "$work/begin" && "$work/begin"
}
macros='gossip: -ffast-math and its parts change results; expected arithmetic as it is written'
# refused <compiler> <flags>: as it compiles, also a file with elementary functions alone.
refused() {
  local text
  for text in small file; do
    # shellcheck disable=SC2086
    "$1" -std=c++20 -O2 -I include $2 -fsyntax-only "$work/$text.cpp" 2>"$work/stderr" && fault "$1 $2 compiles $text.cpp"
    grep -qF "$macros" "$work/stderr" || fault "$1 $2: $(cat "$work/stderr")"
  done
}
# stopped <compiler> <flags> <rule>: as the run begins.
stopped() {
  begun "$1" "$2" >"$work/stdout" 2>&1
  grep -qF "compilation of $work/file.cpp: expected $3, got code that computes otherwise" "$work/stdout" ||
    fault "$1 $2: $(cat "$work/stdout")"
}
# harmless <compiler> <flags>
harmless() {
  [ "$(begun "$1" "$2" 2>&1)" = "as it is written" ] || fault "$1 $2: $(begun "$1" "$2" 2>&1)"
}

parts='-fassociative-math -fno-signed-zeros -fno-trapping-math'
sums='sums in the order in which they are written'
numbers='numbers that may be infinite or NaN'
for compiler in g++ clang++-19 clang++-18; do
  command -v $compiler >/dev/null || continue
  for flags in -ffast-math -Ofast -ffinite-math-only; do refused $compiler "$flags"; done
  if [ $compiler = g++ ]; then
    for flags in -funsafe-math-optimizations "$parts" -freciprocal-math; do refused $compiler "$flags"; done
  else
    refused $compiler -ffp-model=fast
    stopped $compiler -funsafe-math-optimizations "$sums"
    stopped $compiler "$parts" "$sums"
    stopped $compiler -freciprocal-math 'quotients that are divisions'
    stopped $compiler -fno-honor-nans "$numbers"
    stopped $compiler -fno-honor-infinities "$numbers"
  fi
  for flags in -fno-math-errno -fno-trapping-math -fno-signed-zeros -O3; do harmless $compiler "$flags"; done
done
finish
