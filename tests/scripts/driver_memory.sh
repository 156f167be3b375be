#!/usr/bin/env bash
# A limit of memory: the digest of a run with all rows in memory, rows on disk in the summary, and what
# is refused.
. "$(dirname "$0")/driver.bash"

network=(--quiet --set /stop='{"rounds":2}' --set /batch=4  # 64 LeNet-5: rows of 221 MB
  --set /evaluate='{"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}')
for exchange in d_psgd ad_psgd; do
  run=("${network[@]}" --set "/exchange=$exchange")
  expected=$(digest "${run[@]}")
  "$simulate" "${run[@]}" --memory 250MB --scratch "$work" --out "$work/$exchange" \
    >"$work/stdout" 2>"$work/stderr" || fault "$exchange: $(cat "$work/stderr")"
  python3 - "$work/$exchange/summary.json" "$expected" <<'END' || fault "$exchange: summary.json"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["digest"] == sys.argv[2], (run["digest"], sys.argv[2])
tier = run["rows_on_disk"]
assert 6 <= tier["frames"] < 64 and tier["read_bytes"] > tier["bytes"] // 2 < tier["written_bytes"], tier
assert run["peak_resident_bytes"] < 350e6, run["peak_resident_bytes"]
END
done

expect 2 '--memory: expected a size such as 1.6MB (a number and B, kB, MB, GB, TB, KiB, MiB, GiB or TiB), got "much"' \
  --memory much
expect 2 "--memory: expected a size above 0, got '0MB'" --memory 0MB
expect 2 "--scratch: expected --memory SIZE, got none" --scratch "$work"
expect 2 "--device-memory: expected a size above 0, got '0MB'" --device-memory 0MB
expect 2 "--device-memory: expected a program for GPUs, of './dev build cuda', got one for the processor" --device-memory 1GB
expect 2 "--memory: expected one run, got a sweep, whose runs share a process" \
  --memory 1GB --sweep /seed=1,2
"$simulate" "${network[@]}" --memory 20MB >"$work/stdout" 2>"$work/stderr" && fault "20 MB were enough"
size='[0-9.]+ [MG]B'
grep -Eq "^memory: expected at least $size: $size for rows, which are in use a few owners or columns at a time, and $size for all else, got 20.0 MB\$" \
  "$work/stderr" || fault "20 MB: $(cat "$work/stderr")"
if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
  "$simulate" "${network[@]}" --memory 250MB --scratch /dev/shm >"$work/stdout" 2>"$work/stderr" &&
    fault "a folder in memory was taken"
  grep -q '^/dev/shm: expected a folder on a disk for rows, got one in memory (tmpfs)$' \
    "$work/stderr" || fault "/dev/shm: $(cat "$work/stderr")"
fi
finish
