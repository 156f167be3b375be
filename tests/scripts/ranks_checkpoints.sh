#!/usr/bin/env bash
# Runs with checkpoints on ranks: asked to end and killed, they go on, also on another number of ranks, to the files
# of a run of one process that was never cut.
. "$(dirname "$0")/ranks.bash"

long=(--quiet --set /model=softmax_regression --set /topology='{"kind":"random_regular","nodes":16,"degree":4}'
  --set /optimizer='{"kind":"sgd","momentum":0.9}' --set /stop='{"rounds":8000}'
  --set /evaluate='{"every":{"rounds":200},"nodes":4,"samples":64,"at_end":{"nodes":4,"samples":64}}')

"$simulate" "${long[@]}" --out "$work/whole" >"$work/stdout" || fault "the whole run"
same() {
  diff <(numbers "$work/whole") <(numbers "$1") >"$work/diff" || fault "$2: $(head -5 "$work/diff")"
}
# lines <folder> <count>: waits for so many lines of metrics, a minute at most.
lines() {
  for _ in $(seq 600); do
    [ "$(cat "$1/metrics.jsonl" 2>/dev/null | wc -l)" -ge "$2" ] && return
    sleep 0.1
  done
  fault "$1: no $2 lines of metrics after a minute"
}

# start <ranks> <argument>...: in the background; run: the process of mpirun.
start() {
  mpirun -n "$1" "$simulate" "${@:2}" >"$work/stdout" 2>"$work/stderr" &
  run=$!
}
# send <signal> <rank>: to one of the processes.
send() { kill "-$1" "$(pgrep -P $run | sed -n $(($2 + 1))p)" || fault "there is no rank $2"; }

# Asked to end, one rank first: from three ranks to two, and to one process.
out=$work/asked
start 3 "${long[@]}" --checkpoint 1h --out "$out"
lines "$out" 3
send TERM 2
wait $run
grep -q "; --resume --out $out goes on$" "$work/stderr" || fault "asked to end: $(cat "$work/stderr")"
[ "$(find "$out/checkpoints" -name 'shard-*-of-3.json' | wc -l)" -eq 3 ] || fault "shards: $(find "$out")"
before=$(wc -l <"$out/metrics.jsonl")
start 2 --resume --quiet --out "$out"
lines "$out" $((before + 1))
send TERM 0
wait $run
"$simulate" --resume --quiet --out "$out" >"$work/stdout" 2>"$work/stderr" || fault "on one process: $(cat "$work/stderr")"
same "$out" "three, two, one"

# A rank that is killed ends the others.
RANDOM=5
out=$work/killed
start 3 "${long[@]}" --checkpoint 50rounds --out "$out"
lines "$out" 1
for k in $(seq "${GOSSIP_KILLS:-3}"); do
  sleep "$(printf '0.%03d' $((RANDOM % 900)))"
  kill -KILL "$(pgrep -P $run | sed -n $((RANDOM % 3 + 1))p)" 2>/dev/null
  wait $run 2>/dev/null
  grep -q '"ended": "done"' "$out/summary.json" 2>/dev/null && break
  start 3 --resume --quiet --out "$out"
done
wait $run || grep -q '"ended": "done"' "$out/summary.json" || fault "killed: $(cat "$work/stderr")"
echo "killed $k times"
same "$out" "killed"
finish
