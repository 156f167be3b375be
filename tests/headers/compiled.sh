#!/usr/bin/env bash
# compiled.sh <compiler> <folder of texts> <folder of headers of the system>...: the texts, each with
# headers that must compile alone, in a program that links gossip::compiled.
set -u

compiler=$1 texts=$2
shift 2
flags=(-std=c++20 -fsyntax-only -DGOSSIP_COMPILED -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_TBB
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude "${@/#/-idirafter}")
ls "$texts"/*.cpp >/dev/null || exit 1
failed=$(printf '%s\n' "$texts"/*.cpp |
  xargs -P "$(nproc)" -I{} sh -c '"$@" {} >{}.log 2>&1 || echo {}' sh "$compiler" "${flags[@]}")
for text in $(printf "%s\n" $failed | head -n 5); do
  echo "a header of $text does not compile alone:"
  grep -m 3 error "$text.log"
done
[ -z "$failed" ] || exit 1
echo "$(cat "$texts"/*.cpp | sort -u | wc -l) headers compile alone with GOSSIP_COMPILED"
