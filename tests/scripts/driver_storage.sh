#!/usr/bin/env bash
# Rows of 16 bits in memory: half the bytes of rows and of messages, the same digest for any threads
# and engine, and the format's name in the summary of a run.
. "$(dirname "$0")/driver.bash"

full=$(digest "${tiny[@]}")
for storage in bf16 fp16; do
  check_numbers $storage "$full" "${tiny[@]}" --set /storage=$storage
done
[ "$(digest "${tiny[@]}" --set /storage=float)" = "$full" ] || fault "float has another digest"

"$simulate" "${tiny[@]}" --set /storage=bf16 --out "$work/run" >"$work/stdout" 2>"$work/stderr" ||
  fault "bf16: $(cat "$work/stderr")"
python3 - "$work/run/summary.json" <<'END' || fault "summary.json: $(grep -n numbers "$work/run/summary.json")"
import json, sys
assert json.load(open(sys.argv[1]))["numbers"] == "float, rows in bf16"
END

for storage in float bf16; do
  "$simulate" --set /storage=$storage --dry-run --out "$work/$storage" >"$work/stdout" 2>"$work/stderr" ||
    fault "--dry-run: $(cat "$work/stderr")"
done
python3 - "$work"/{float,bf16}/plan.json <<'END' || fault "rows and messages are not half of those in float"
import json, sys
full, half = (json.load(open(name)) for name in sys.argv[1:])
assert full["bytes_sent"] == 2 * half["bytes_sent"], (full, half)
assert abs(full["memory"]["rows"] / half["memory"]["rows"] - 2) < 0.001, (full, half)
END
finish
