#!/usr/bin/env bash
# Ctrl-C ends a run at its next level, files complete; a second one at once.
. "$(dirname "$0")/driver.bash"

# start <folder>: a run of hours, until its first line of metrics.
start() {
  "$simulate" "${tiny[@]}" --set /model=softmax_regression --set /stop='{"rounds":100000000}' \
    --set /evaluate/every='{"rounds":50}' --out "$1" >"$work/stdout" 2>"$work/stderr" &
  run=$!
  for _ in $(seq 600); do
    [ -s "$1/metrics.jsonl" ] && return
    sleep 0.1
  done
  fault "no metrics after a minute"
}

for signal in INT TERM; do
  out=$work/$signal
  # Shells start background jobs deaf to SIGINT unless they control jobs.
  set -m
  start "$out"
  set +m
  kill -$signal $run
  wait $run
  status=$?
  [ $status -eq 1 ] || fault "SIG$signal: exit status $status"
  grep -qE '^interrupted after [0-9]+ node-iterations; the files are complete$' "$work/stderr" ||
    fault "SIG$signal: $(cat "$work/stderr")"
  grep -q '"interrupted": true' "$out/summary.json" || fault "SIG$signal: summary.json"
  grep -qE '"digest": "[0-9a-f]{16}"' "$out/summary.json" || fault "SIG$signal: no digest"
  [ "$(tail -c 2 "$out/metrics.jsonl")" = "}" ] || fault "SIG$signal: metrics.jsonl is torn"
  [ -z "$(find "$out" -name '*.part')" ] || fault "SIG$signal: a partial file is left"
done

# A limit on addresses that BLAS does not fit in: nothing hangs, and what computes nothing needs no BLAS.
if ldd "$simulate" | grep -q openblas; then
  echo "limits on addresses were not tried: OpenBLAS is not loaded on demand here"
else
  limited() {
    (ulimit -v "$1" && shift && timeout -k 1 60 "$simulate" "$@") >"$work/stdout" 2>"$work/stderr"
  }
  limited 250000 --help || fault "--help under a limit: $(cat "$work/stderr")"
  limited 250000 --dry-run --set /model=quadratic || fault "a dry run under a limit: $(cat "$work/stderr")"
  limited 250000 "${tiny[@]}" --set /model=mlp
  status=$?
  [ $status -eq 1 ] || fault "a run under a limit: exit status $status"
  grep -qE '^memory: BLAS takes 128 MB of addresses for each thread, and for [0-9]+ threads? the limit of 244 MB \(ulimit -v\) leaves no room' \
    "$work/stderr" || fault "a run under a limit: $(cat "$work/stderr")"
fi

# The end of a terminal ends a run as Ctrl-C does, unless it was started with nohup.
start "$work/HUP"
kill -HUP $run
wait $run
grep -q '"ended": "interrupted"' "$work/HUP/summary.json" || fault "SIGHUP: no summary"
finish
