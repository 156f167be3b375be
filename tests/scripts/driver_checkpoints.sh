#!/usr/bin/env bash
# Runs with checkpoints go on to the files of a run that was never cut: after Ctrl-C, after a time, killed at any
# moment, on other threads. Files that are damaged or of another run are refused or passed over.
. "$(dirname "$0")/driver.bash"

kills=${GOSSIP_KILLS:-10}
small=(--set /model=softmax_regression --set /topology='{"kind":"random_regular","nodes":16,"degree":4}' --set /threads=1
  --set /optimizer='{"kind":"sgd","momentum":0.9}' --set /evaluate='{"every":{"rounds":200},"nodes":4,"samples":64,"each_node":true,"at_end":{"nodes":4,"samples":64}}')
long=("${small[@]}" --set /stop='{"rounds":6000}')

# numbers <folder>: of the files of a run, but for times.
numbers() {
  sed -E 's/"wall_seconds":[^,]*,//' "$1/metrics.jsonl"
  cat "$1/nodes.jsonl" "$1/graph.json"
  grep -E '"(digest|ended|node_iterations|virtual_seconds|bytes_sent)"' "$1/summary.json"
}
# same <folder> <what>: the files are those of the whole run.
same() {
  diff <(numbers "$work/whole") <(numbers "$1") >"$work/diff" || fault "$2: $(head -5 "$work/diff")"
  [ -z "$(find "$1" -name '*.part')" ] || fault "$2: $(find "$1" -name '*.part')"
}
# asked_to_end <folder> <argument>...: a run that ends with a checkpoint by Ctrl-C, once it has three lines of metrics.
asked_to_end() {
  local out=$1 run
  shift
  set -m # shells start background jobs deaf to SIGINT unless they control jobs
  "$simulate" --quiet "$@" --out "$out" >"$work/stdout" 2>"$work/stderr" &
  run=$!
  set +m
  for _ in $(seq 600); do
    [ "$(wc -l 2>/dev/null <"$out/metrics.jsonl")" -ge 3 ] && break
    sleep 0.05
  done 2>/dev/null
  kill -INT $run
  wait $run
  [ $? -eq 1 ] || fault "Ctrl-C: exit status"
  grep -qE "^interrupted after [0-9]+ node-iterations; the files are complete; --resume --out $out( --export mean)? goes on$" "$work/stderr" ||
    fault "Ctrl-C: $(cat "$work/stderr")"
}
resumed() { "$simulate" --resume --out "$@" >"$work/stdout" 2>"$work/stderr" || fault "--resume: $(cat "$work/stderr")"; }

"$simulate" --quiet "${long[@]}" --out "$work/whole" >"$work/stdout" || fault "the whole run"

# Ctrl-C, and on with the configuration of the folder; other threads; without new checkpoints.
asked_to_end "$work/asked" "${long[@]}" --checkpoint 1000rounds
resumed "$work/asked"
grep -qE '^goes on  *from epoch [0-9.]+, after [0-9]+ node-iterations$' "$work/stdout" || fault "goes on: $(cat "$work/stdout")"
grep -qE "^checkpoints  *every 1000 rounds in $work/asked/checkpoints, [0-9.]+ MB each; the run goes on while one is written$" \
  "$work/stdout" || fault "checkpoints: $(cat "$work/stdout")"
same "$work/asked" "Ctrl-C"
[ "$(find "$work/asked/checkpoints" -mindepth 1 -maxdepth 1 | wc -l)" -eq 2 ] || fault "two checkpoints are kept"
asked_to_end "$work/threads" "${long[@]}" --checkpoint 1h
resumed "$work/threads" --set /threads=3 --set /checkpoint=null
same "$work/threads" "other threads"

# A time, and none for the last window.
"$simulate" --quiet "${small[@]}" --set /stop='{"rounds":6000000}' --checkpoint 5min --until 00:00:01 --out "$work/until" \
  >"$work/stdout" 2>"$work/stderr" && fault "--until: exit status 0"
grep -q "goes on$" "$work/stderr" || fault "--until: $(cat "$work/stderr")"
ls "$work"/until/checkpoints/*/shard-0-of-1.json >/dev/null || fault "--until: no checkpoint"
"$simulate" --quiet "${long[@]}" --checkpoint 10rounds --until 400ms --grace 0s --out "$work/grace" >"$work/stdout" 2>"$work/stderr"
if grep -q '"ended": "interrupted"' "$work/grace/summary.json"; then resumed "$work/grace"; fi
same "$work/grace" "--grace"

# Killed at any moment.
RANDOM=7
out=$work/killed
"$simulate" --quiet "${long[@]}" --checkpoint 50rounds --out "$out" >"$work/stdout" 2>"$work/stderr" &
run=$!
while [ ! -e "$out/config.json" ] && kill -0 $run; do sleep 0.01; done
for k in $(seq "$kills"); do
  sleep "$(printf '0.%03d' $((RANDOM % 400)))"
  kill -9 $run 2>/dev/null
  wait $run 2>/dev/null
  grep -q '"ended": "done"' "$out/summary.json" 2>/dev/null && break
  "$simulate" --resume --quiet --out "$out" >"$work/stdout" 2>"$work/stderr" &
  run=$!
done
wait $run || grep -q '"ended": "done"' "$out/summary.json" || fault "killed: $(cat "$work/stderr")"
echo "killed $k times"
same "$out" "killed"

# Models of a part of a run do not stay.
asked_to_end "$work/models" "${long[@]}" --checkpoint 1000rounds --export mean || true
cp "$work/models/mean.safetensors" "$work/part.safetensors"
resumed "$work/models" --export mean
"$simulate" --quiet "${long[@]}" --out "$work/whole" --overwrite --export mean >"$work/stdout" || fault "the whole run with its mean"
cmp -s "$work/models/mean.safetensors" "$work/whole/mean.safetensors" || fault "the mean of a run that went on"
cmp -s "$work/models/mean.safetensors" "$work/part.safetensors" && fault "the mean is that of a part of the run"

# What is no run that could go on.
expect 2 "--resume --out $work/none: expected a folder with the sweep.json of an earlier sweep or the config.json of an earlier run, got none" \
  --resume --out "$work/none"
expect 2 "--resume --out $work/whole: expected a run that has not ended, or a later /stop, got a run that is done" --resume --out "$work/whole"
expect 2 "--resume --out $work/until: expected the run that config.json there describes, got a run that differs from it in /seed" \
  --resume --out "$work/until" --set /seed=2
expect 2 "checkpoint: expected a time of at least 1s, got 1ms" --resume --out "$work/until" --checkpoint 1ms
expect 2 "--grace: expected --checkpoint EVERY, got none" "${tiny[@]}" --out "$work/no" --grace 1s
expect 2 "checkpoint: expected --out DIR, the folder of the run, got none" "${tiny[@]}" --checkpoint 1epoch
expect 2 "checkpoint: expected --out DIR, the folder of the runs, got none" "${tiny[@]}" --sweep /seed=1,2 --checkpoint 1epoch
expect 2 "--checkpoint: expected a period such as 10min, 2epochs or 500rounds, got '10'" --checkpoint 10
expect 2 "--until: expected a time such as 02:50:00 or 170min, got '2:70:00'" --until 2:70:00
expect 2 "--out $work/until: expected a folder without an earlier run, or --overwrite, got config.json, metrics.jsonl, summary.json, checkpoints" \
  "${tiny[@]}" --out "$work/until"

# Damaged files: the checkpoint before is taken, and without one the run is refused.
asked_to_end "$work/damaged" "${long[@]}" --checkpoint 100rounds
newest=$(ls -d "$work"/damaged/checkpoints/* | tail -1)
printf 'x' | dd of="$newest/shard-0-of-1.safetensors" bs=1 seek=5000 conv=notrunc 2>/dev/null
cp -r "$work/damaged" "$work/lost"
resumed "$work/damaged"
grep -qE "^passed over  *$newest/shard-0-of-1.safetensors: expected hash" "$work/stdout" || fault "damaged: $(cat "$work/stdout")"
same "$work/damaged" "damaged"
for one in "$work"/lost/checkpoints/*; do truncate -s 100 "$one/shard-0-of-1.safetensors"; done
cksum "$work"/lost/* 2>/dev/null >"$work/before"
"$simulate" --resume --out "$work/lost" >"$work/stdout" 2>"$work/stderr"
[ $? -eq 2 ] || fault "no checkpoint is whole: exit status"
grep -qE "^.*/lost/checkpoints/.*: expected [0-9]+ bytes, as its note says, got 100$" "$work/stderr" || fault "lost: $(cat "$work/stderr")"
cmp -s "$work/before" <(cksum "$work"/lost/* 2>/dev/null) || fault "a refused run has changed files"
mv "$work/until/metrics.jsonl" "$work/lines"
expect 2 "$work/until: expected the metrics.jsonl of the run that goes on, got none" --resume --quiet --out "$work/until"
head -2 "$work/lines" >"$work/until/metrics.jsonl"
"$simulate" --resume --out "$work/until" >"$work/stdout" 2>"$work/stderr"
grep -qE "^$work/until/metrics.jsonl: expected the [0-9]+ bytes before the state, kept by json_lines::resumed, got [0-9]+$" "$work/stderr" ||
  fault "lost lines: $(cat "$work/stderr")"

[ "$(wc -l <"$work/until/metrics.jsonl")" -eq 2 ] || fault "lost lines: a refused run has changed the file"

# A run without checkpoints does not begin anew unasked, one whose first checkpoint was cut off does; two processes.
cp -r "$work/grace" "$work/without"
sed -i 's/"checkpoint": {"rounds": 10}/"checkpoint": null/; /"checkpoint": {/,/}/c\  "checkpoint": null,' "$work/without/config.json"
sed -i 's/"ended": "done"/"ended": "interrupted"/' "$work/without/summary.json"
rm -r "$work/without/checkpoints"
expect 2 "--resume --out $work/without: expected a run with checkpoints, or --overwrite, which begins anew, got one without" \
  --resume --out "$work/without"
for window in 000000000007 000000000009; do mkdir -p "$work/grace/checkpoints/window-$window"; done
rm -r "$work"/grace/checkpoints/*/*
sed -i 's/"ended": "done"/"ended": "interrupted"/' "$work/grace/summary.json"
resumed "$work/grace"
grep -qE "^begins anew  *no checkpoint had been written$" "$work/stdout" || fault "begins anew: $(cat "$work/stdout")"
same "$work/grace" "begun anew"
"$simulate" --quiet "${small[@]}" --set /stop='{"rounds":6000000}' --checkpoint 1h --out "$work/two" >"$work/stdout" 2>"$work/stderr" &
run=$!
while [ ! -s "$work/two/metrics.jsonl" ] && kill -0 $run; do sleep 0.05; done
expect 2 "--out $work/two: expected a folder that no other run is writing, got a folder that a run is writing" --resume --out "$work/two"
kill -TERM $run
wait $run

# A run that has ended becomes longer, where its rate does not follow its length.
steady=("${small[@]}" --set /optimizer/schedule=constant)
"$simulate" --quiet "${steady[@]}" --set /stop='{"rounds":5000}' --out "$work/five" >"$work/stdout" || fault "five thousand rounds"
"$simulate" --quiet "${steady[@]}" --set /stop='{"rounds":3000}' --checkpoint 500rounds --out "$work/longer" >"$work/stdout" ||
  fault "three thousand rounds"
cp "$work/longer/summary.json" "$work/summary"
resume_longer=(--quiet --resume --out "$work/longer")
newest=$(ls -d "$work"/longer/checkpoints/* | tail -1)
expect 2 "--resume --out $work/longer: expected a run that has not ended, or a later /stop, got a run that is done" "${resume_longer[@]}"
expect 2 "$newest: expected a run of more than its 48000 node-iterations, by a later /stop, got one of 46400" \
  "${resume_longer[@]}" --set /stop='{"rounds":2900}'
expect 2 "$newest: expected a run of more than its 48000 node-iterations, by a later /stop, got one of 48000" \
  "${resume_longer[@]}" --set /stop="{\"epochs\":$(tail -1 "$work/longer/metrics.jsonl" | sed -E 's/.*"epoch":([0-9.]+).*/\1/')}"
expect 2 "--resume --out $work/longer: expected the run that config.json there describes, got a run that differs from it in /seed" \
  "${resume_longer[@]}" --set /stop='{"rounds":5000}' --set /seed=2
cmp "$work/longer/summary.json" "$work/summary" || fault "a refused run that was to become longer has changed its summary"
"$simulate" "${resume_longer[@]:1}" --set /stop='{"rounds":5000}' >"$work/stdout" 2>"$work/stderr" || fault "longer: $(cat "$work/stderr")"
grep -qE "^passed over  *$newest: expected at least 16 node-iterations to the end of its run, since this one ends later, got 0\$" "$work/stdout" ||
  fault "longer: $(cat "$work/stdout")"
diff <(numbers "$work/five") <(numbers "$work/longer") >"$work/diff" || fault "longer: $(head -5 "$work/diff")"
diff "$work/five/config.json" "$work/longer/config.json" | grep -q rounds.*5000 && fault "longer: config.json has the earlier stop"
"$simulate" --quiet "${small[@]}" --set /optimizer/schedule=cosine --set /stop='{"rounds":300}' --checkpoint 50rounds --out "$work/cosine" \
  >"$work/stdout" || fault "a cosine"
expect 2 "--resume --out $work/cosine: expected the same /stop, since the rate follows it, got another /stop, and a schedule as long as the run" \
  --quiet --resume --out "$work/cosine" --set /stop='{"rounds":400}'

# A place that is taken with --overwrite has nothing of the run that was there.
"$simulate" "${tiny[@]}" --set /model=softmax_regression --overwrite --out "$work/grace" >"$work/stdout" || fault "--overwrite"
[ ! -e "$work/grace/checkpoints" ] || fault "checkpoints of an earlier run are left"

# Space is asked for before the run; a disk that fills leaves the last checkpoint.
disk=$work/disk
mkdir "$disk"
if mount -t tmpfs -o size=4m none "$disk" 2>/dev/null; then
  trap 'umount "$disk"' EXIT
  "$simulate" --quiet "${small[@]}" --set /topology/nodes=64 --checkpoint 1epoch --out "$disk/run" >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 2 ] || fault "no space for checkpoints: exit status"
  grep -qE "^checkpoint: expected 12[0-9.]* MB free in $disk/run, three checkpoints of 4[0-9.]* MB, got 4[0-9.]* MB$" "$work/stderr" ||
    fault "no space for checkpoints: $(cat "$work/stderr")"
  [ ! -e "$disk/run" ] || fault "a run that was refused has left its folder"
  "$simulate" --quiet "${long[@]}" --checkpoint 10rounds --out "$disk/run" >"$work/stdout" 2>"$work/stderr" &
  run=$!
  while ! ls "$disk"/run/checkpoints/*/*.json >/dev/null 2>&1 && kill -0 $run; do sleep 0.05; done
  while kill -0 $run 2>/dev/null; do # also what a checkpoint that is removed gives back
    dd if=/dev/zero of="$disk/filler" bs=64k oflag=append conv=notrunc 2>/dev/null
    sleep 0.05
  done
  wait $run
  [ $? -eq 1 ] || fault "a disk that fills: exit status"
  grep -qE "^$disk/run/.*: cannot be written: No space left on device$" "$work/stderr" || fault "a disk that fills: $(cat "$work/stderr")"
  grep -q '"ended": "out of disk"' "$disk/run/summary.json" || fault "a disk that fills: $(cat "$disk/run/summary.json")"
  rm "$disk/filler"
  resumed "$disk/run"
  same "$disk/run" "a disk that had filled"
else
  echo "a full disk was not tried: no tmpfs can be mounted here"
fi
finish
