#!/usr/bin/env bash
# Figures of docs/published/ that are the same on every machine are what their commands print today;
# all others name the machine and the day, and a command that is there.
set -u
. "$(dirname "$0")/checks.bash"
require_program "$GOSSIP_BIN/gossip-simulate"
PATH=$GOSSIP_BIN:$PATH

compared=0 # or left out
for file in docs/published/figures/*.txt; do
  command=$(sed -n '1s/^\$ //p' "$file")
  [ -n "$command" ] || { fault "$file: expected '\$ command' in its first line" && continue; }
  command -v "${command%% *}" >/dev/null || fault "$file: there is no ${command%% *}"
  if [ "$(sed -n 2p "$file")" = 'on every machine' ]; then
    compared=$((compared + 1))
    if bash -c "$command" >"$work/now" 2>"$work/stderr"; then
      diff <(tail -n +4 "$file") "$work/now" >"$work/diff" || fault "$file: $(cat "$work/diff")"
    elif grep -q 'is not built into this gossip-simulate' "$work/stderr"; then
      echo "not compared: $file: $(cat "$work/stderr")"
    else
      fault "$file: $command: $(cat "$work/stderr")"
    fi
  else
    sed -n 2p "$file" | grep -qE ', [0-9]+ processors, g\+\+ [0-9.]+, [0-9]{4}-[0-9]{2}-[0-9]{2}$' ||
      fault "$file: expected a machine, a compiler and a day in its second line, got $(sed -n 2p "$file")"
  fi
done
[ "$compared" -ge 2 ] || fault "$compared figures were compared, expected 2 or more"
finish
