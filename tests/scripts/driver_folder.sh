#!/usr/bin/env bash
# The folder of a run: complete, repeatable, and refused in a sentence where it cannot be written.
. "$(dirname "$0")/driver.bash"

# A configuration that is fed back repeats the run.
first=$(digest "${tiny[@]}" --out "$work/a/b" --set /model=mlp --set /exchange=d_psgd \
  --set /optimizer=adamw --set /seed=7 --set /data/split='{"kind":"dirichlet"}')
[ ${#first} -eq 16 ] || fault "no digest: $(cat "$work/stderr")"
second=$(digest --quiet --config "$work/a/b/config.json" --out "$work/c")
[ "$first" = "$second" ] || fault "config.json gives $second, not $first"
cmp "$work/a/b/config.json" "$work/c/config.json" || fault "config.json changes when fed back"
ls "$work/c" | tr '\n' ' ' | grep -qx 'config.json metrics.jsonl summary.json ' ||
  fault "the folder holds $(ls "$work/c")"

# Everything that the files must hold.
for key in gossip digest nodes parameters ranks threads node_iterations wall_seconds \
  node_iterations_per_second virtual_seconds bytes_sent state_bytes_per_node peak_resident_bytes \
  mean_cohort loss accuracy averaged_model_accuracy consensus_distance graph edges components \
  spectral_gap; do
  grep -q "\"$key\":" "$work/c/summary.json" || fault "summary.json lacks $key"
done
grep -q "\"digest\": \"$first\"" "$work/c/summary.json" || fault "another digest in summary.json"
for key in round epoch virtual_seconds wall_seconds loss accuracy averaged_model_accuracy \
  consensus_distance bytes_sent; do
  grep -q "\"$key\":" "$work/c/metrics.jsonl" || fault "metrics.jsonl lacks $key"
done
lines() { "$simulate" "${tiny[@]}" --set /model=mlp --out "$work/c" --set /evaluate/every="$1" >/dev/null &&
  wc -l <"$work/c/metrics.jsonl"; }
[ "$(lines '{"rounds":1}')" -eq 3 ] || fault "not a line a round"

# Folders that cannot be written.
touch "$work/file"
expect 2 "$work/file: cannot be written: Not a directory" --out "$work/file"
expect 2 "$work/file/x: cannot be written: Not a directory" --out "$work/file/x"
if [ "$(id -u)" -ne 0 ]; then
  mkdir "$work/closed" && chmod a-w "$work/closed"
  expect 2 "$work/closed/config.json: cannot be written: Permission denied" --out "$work/closed"
fi

# A full disk: at the start, and later.
disk=$work/disk
mkdir "$disk"
if mount -t tmpfs -o size=64k none "$disk" 2>/dev/null; then
  trap 'umount "$disk"' EXIT
  dd if=/dev/zero of="$disk/filler" bs=1k count=64 2>/dev/null
  expect 1 "$disk/config.json: cannot be written: No space left on device" --out "$disk"
  rm "$disk/filler"
  "$simulate" "${tiny[@]}" --set /model='{"kind":"quadratic"}' --out "$disk" \
    --set /stop='{"rounds":2000}' --set /evaluate/every='{"rounds":1}' >"$work/stdout" 2>"$work/stderr"
  [ $? -eq 1 ] || fault "a disk that fills during a run: exit status"
  [ "$(cat "$work/stderr")" = "$disk/metrics.jsonl: cannot be written: No space left on device" ] ||
    fault "a disk that fills during a run: $(cat "$work/stderr")"
else
  echo "a full disk was not tried: no tmpfs can be mounted here"
fi
"$simulate" --list >/dev/full 2>"$work/stderr"
[ $? -eq 1 ] || fault "a full standard output: exit status"
[ "$(cat "$work/stderr")" = "standard output: cannot be written" ] ||
  fault "a full standard output: $(cat "$work/stderr")"
finish
