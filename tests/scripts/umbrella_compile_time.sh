#!/usr/bin/env bash
# A user's file that includes <gossip/gossip.hpp> and nothing else compiles in under 7 s (-O0 -c), in
# one of up to six tries, in processor time: other tests may run beside. They slow it all the same, and
# so may the machine, by two and more from one minute to the next: a file that includes <regex> and
# <nlohmann/json.hpp> is compiled again and again meanwhile, and the limit grows as its mean time does.
# What GCC allocates meanwhile is the same on every machine, and follows the time: 1160 MB at most. Its
# tables double, by 17 and 33 MB at once, whatever came last.
set -eu
. "$(dirname "$0")/yardstick.bash"

compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")
flags=$GOSSIP_BUILD/tests/fails/flags # those of gossip::gossip, as a user's file gets them
folder=$GOSSIP_BUILD/scripts/umbrella_compile_time
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
printf '#include <gossip/gossip.hpp>\nint main() {}\n' >umbrella.cpp
yardstick yardstick.cpp

most=$([ "$("$compiler" -dumpversion)" = 12 ] && echo 1160 || echo none) # MB, of GCC 12
if [ "$most" != none ]; then
  allocated=$("$compiler" "@$flags" -O0 -c -o umbrella.o -ftime-report umbrella.cpp 2>&1 |
    sed -n 's/^ TOTAL .* \([0-9]*\)M$/\1/p')
  if [ "${allocated:-$most}" -ge "$most" ]; then
    echo "too large: GCC allocates ${allocated:-unknown} MB for gossip/gossip.hpp, limit $most MB"
    exit 1
  fi
  echo "gossip/gossip.hpp: GCC allocates $allocated MB, limit $most MB"
fi

# again_and_again: the yardstick until the umbrella is compiled; a line of seconds each.
again_and_again() {
  while [ ! -e compiled ]; do
    compiling "$compiler" "@$flags" -O0 -c -o yardstick.o yardstick.cpp
    echo
  done
}

for _ in 1 2 3 4 5 6; do # no more than it takes
  rm -f compiled
  again_and_again >beside &
  spent=$(compiling "$compiler" "@$flags" -O0 -c -o umbrella.o umbrella.cpp) || exit 1
  touch compiled
  wait $!
  said=$(awk -v t="$spent" -v u="$usual_yardstick" '
    { sum += $1 }
    END {
      y = sum / NR
      limit = (y > u) ? 7 * y / u : 7
      printf "%s: gossip/gossip.hpp compiled in %.2f s, limit %.2f s", \
        (t < limit) ? "fast" : "too slow", t, limit
      printf " (7 s where the yardstick takes %.1f s or less; it took %.2f s)", u, y
    }' beside)
  echo "$said"
  [[ $said == fast* ]] && exit 0
done
exit 1
