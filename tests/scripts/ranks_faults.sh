#!/usr/bin/env bash
# Under mpirun an error of input is said once, with exit status 2; a rank that dies ends the others
# within seconds, and what has been written is whole.
. "$(dirname "$0")/ranks.bash"

# refused <sentence> <argument>...: mpirun adds lines of its own to standard error.
refused() {
  local sentence=$1 got=0
  shift
  timeout 60 mpirun -n 3 "$simulate" "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
  [ $got -eq 2 ] || fault "exit status $got, expected 2: $*"
  [ "$(grep -cF -- "$sentence" "$work/stderr")" -eq 1 ] ||
    fault "$*: expected once: $sentence"$'\n'"  got: $(cat "$work/stderr")"
}

refused "--set: /topology/nodes: expected" "${quick[@]}" --set /topology='{"kind":"ring","nodes":0}'
refused "unknown argument '--epochs'" --epochs 3
refused "cannot be written" "${quick[@]}" --out /proc/nowhere
mkdir -p "$work/earlier" && touch "$work/earlier/summary.json"
refused "--out $work/earlier: expected a folder without an earlier run, or --overwrite" \
  "${quick[@]}" --out "$work/earlier"
refused "run it in one process, whose results are identical" "${quick[@]}" --set /engine=reference

# begin <folder>: a run of hours into it, in the background as $run, that is on its way.
begin() {
  out=$work/$1
  timeout 120 mpirun -n 3 "$simulate" "${quick[@]}" --set /stop='{"rounds":100000000}' \
    --set /evaluate/every='{"rounds":20}' --out "$out" >"$work/stdout" 2>"$work/stderr" &
  run=$!
  for _ in $(seq 600); do
    [ -s "$out/metrics.jsonl" ] && return
    sleep 0.1
  done
  fault "no metrics after a minute"
}

# A rank is killed in the middle of a run.
begin killed
victim=
for process in $(pgrep -f -- "--out $out" || true); do
  [ "$(tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null |
    sed -n 's/^OMPI_COMM_WORLD_RANK=//p')" = 1 ] && victim=$process
done
if [ -z "$victim" ]; then
  fault "rank 1 was not found"
else
  before=$SECONDS
  kill -KILL "$victim"
  wait $run
  status=$?
  [ $status -ne 0 ] && [ $status -ne 124 ] || fault "exit status $status after a rank was killed"
  [ $((SECONDS - before)) -le 10 ] || fault "the others went on for $((SECONDS - before)) s"
  grep -qE 'process rank 1 .*(signal|exited)|PID .* signal 9' "$work/stderr" ||
    fault "nobody says which rank died: $(cat "$work/stderr")"
  [ "$(tail -c 2 "$out/metrics.jsonl")" = "}" ] || fault "metrics.jsonl is torn"
  [ ! -e "$out/summary.json" ] || fault "a summary of a run that did not end"
  [ -z "$(find "$out" -name '*.part')" ] || fault "a partial file is left"
  leftover=$(pgrep -f -- "--out $out" || true)
  [ -z "$leftover" ] || fault "processes are left: $leftover"
fi

# All ranks are asked to end: they do so at one place.
begin asked
for process in $(pgrep -f -- "--out $out" || true); do
  tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -q '^OMPI_COMM_WORLD_RANK=' &&
    kill -TERM "$process"
done
wait $run
status=$?
[ $status -eq 1 ] || fault "exit status $status of a run that was asked to end"
grep -qE '^interrupted after [0-9]+ node-iterations; the files are complete$' "$work/stderr" ||
  fault "asked to end: $(cat "$work/stderr")"
grep -q '"interrupted": true' "$out/summary.json" || fault "asked to end: summary.json"
[ "$(tail -c 2 "$out/metrics.jsonl")" = "}" ] || fault "asked to end: metrics.jsonl is torn"

# A loss that is no number on one rank.
got=0
timeout 60 mpirun -n 3 "$simulate" "${quick[@]}" --set /optimizer/rate=1000 \
  --set /model='{"kind":"quadratic","curvature":[1e6]}' --set /stop='{"rounds":500}' >"$work/stdout" 2>"$work/stderr" || got=$?
[ $got -eq 1 ] || fault "exit status $got of a run whose loss is no number"
grep -qE '^(rank [0-9]+: )?node [0-9]+, step [0-9]+: the loss is' "$work/stderr" ||
  fault "no sentence on a loss that is no number: $(cat "$work/stderr")"
finish
