#!/usr/bin/env bash
# live_stragglers prints its tables and writes a chart; in them the slow learner holds up all-reduce
# and D-PSGD, and AD-PSGD hardly.
. "$(dirname "$0")/live.bash"

status=0
timeout -k 5 280 "${mpirun[@]}" -n 4 "$GOSSIP_BIN/live_stragglers" "$work/chart.svg" quick \
  >"$work/stdout" 2>"$work/stderr" || status=$?
[ "$status" -eq 0 ] || fault "exit status $status: $(cat "$work/stderr")"
cat "$work/stdout"

# speed_up <method> <line of it in the first table>
speed_up() {
  awk -v method="$1" -v line="$2" '
    $1 == method { own = 1 } own { ++seen } own && seen == line { print $(NF - 2); exit }
  ' "$work/stdout"
}
for method in all-reduce D-PSGD; do
  holds "$(speed_up $method 4) < 0.2" || fault "$method does not wait for a learner 100 times slower"
done
holds "$(speed_up AD-PSGD 4) > 0.5 * $(speed_up AD-PSGD 1)" || fault "AD-PSGD waits"
grep -q '<svg' "$work/chart.svg" && [ "$(tail -n 1 "$work/chart.svg")" = '</svg>' ] ||
  fault "the chart is not whole"
[ "$(grep -c '<circle' "$work/chart.svg")" -eq 12 ] || fault "12 measurements are not in the chart"

status=0
timeout -k 5 60 "${mpirun[@]}" -n 1 "$GOSSIP_BIN/live_stragglers" >"$work/stdout" \
  2>"$work/stderr" || status=$?
[ "$status" -eq 2 ] || fault "one rank alone: exit status $status"
finish
