#!/usr/bin/env bash
# A user's file that includes <gossip/gossip.hpp> and nothing else compiles in under 7 s (-O0 -c),
# best of up to six, in processor time: other tests may run beside. They slow it all the same, and so
# may the machine: a file that includes <regex> and <nlohmann/json.hpp> is compiled by turns with it,
# and the limit grows as that one's time does.
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

# best <seconds so far, or nothing> <argument of the compiler>...: the smaller of it and this time.
best() {
  local before=$1 spent
  shift
  spent=$(compiling "$compiler" "@$flags" "$@") || return 1
  awk -v b="$before" -v t="$spent" 'BEGIN { print (b == "" || t < b) ? t : b }'
}

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

measured='' compiled=''
for _ in 1 2 3 4 5 6; do # no more than it takes
  measured=$(best "$measured" -O0 -c -o yardstick.o yardstick.cpp)
  compiled=$(best "$compiled" -O0 -c -o umbrella.o umbrella.cpp)
  limit=$(awk -v y="$measured" -v u="$usual_yardstick" 'BEGIN { printf "%.2f", (y > u) ? 7 * y / u : 7 }')
  said="gossip/gossip.hpp: compiled in $compiled s, limit $limit s"
  said+=" (7 s where the yardstick takes $usual_yardstick s or less; it took $measured s)"
  if awk -v t="$compiled" -v l="$limit" 'BEGIN { exit !(t < l) }'; then
    echo "$said"
    exit 0
  fi
done
echo "too slow: $said"
exit 1
