#!/usr/bin/env bash
# Gradients in 16 bits: the same digest for any threads and engine, overflows reported, and models
# that are not built in with them refused.
. "$(dirname "$0")/driver.bash"

expect 2 "precision: expected fp32, with which mlp is built in, got fp16" \
  --dry-run --set /model=mlp --set /precision=fp16

"$simulate" --set /precision=fp16 --dry-run >"$work/plan" 2>"$work/stderr"
if [ $? -eq 2 ] && grep -q 'expected fp32, with which lenet5 is built in' "$work/stderr"; then
  echo "lenet5 is not built in with fp16"
  finish
fi

full=$(digest "${tiny[@]}")
for precision in fp16 bf16; do
  check_numbers $precision "$full" "${tiny[@]}" --set /precision=$precision
done

# The largest scale overflows at first.
"$simulate" "${tiny[@]}" --out "$work/run" --set /precision/kind=fp16 \
  --set /precision/loss_scale=16777216 >"$work/stdout" 2>"$work/stderr" ||
  fault "fp16: $(cat "$work/stderr")"
grep -Eq '^steps skipped +[1-9]' "$work/stdout" || fault "no steps were left out, or none named"
skipped=$(tr -d ' \n' <"$work/run/summary.json" | grep -o '"skipped_steps":{[^}]*}')
echo "$skipped" | grep -Eq '"total":[1-9].*"of_worst_node":[1-9].*"max":[0-9]+\.0' ||
  fault "summary.json: ${skipped:-no skipped_steps}"
finish
