#!/usr/bin/env bash
# A small stack (ulimit -s) changes no run: what is large lies on the heap. One that is too small is
# refused.
. "$(dirname "$0")/driver.bash"

if grep -q "^GOSSIP_SANITIZE:STRING=." "$GOSSIP_BUILD/CMakeCache.txt"; then
  echo "skipped: sanitizers need larger stacks"
  exit 77
fi
export OMP_NUM_THREADS=3
codec='{"kind":"cosine_top_k","chunk":127,"kept":8}'
runs=(
  "/model=softmax_regression"
  "/model=mlp"
  "/model=lenet5"
  "/model=mlp /exchange=d_psgd"
  "/model=softmax_regression /exchange={\"kind\":\"choco_sgd\",\"codec\":$codec}"
  "/model=softmax_regression /exchange={\"kind\":\"robust_gossip\",\"rule\":\"geometric_median\"}"
  "/model=quadratic /exchange=relay_sgd"
)
for one in "${runs[@]}"; do
  fields=()
  for field in $one; do fields+=(--set "$field"); done
  whole=$(digest "${tiny[@]}" "${fields[@]}")
  [ -n "$whole" ] || fault "$one: $(cat "$work/stderr")"
  for limit in 64 128 256; do
    found=$(ulimit -s $limit && digest "${tiny[@]}" "${fields[@]}")
    [ "$found" = "$whole" ] || fault "$one, ulimit -s $limit: digest '$found', not $whole"
  done
done

# Threads of a sweep have stacks of their own, too, as large as the first one's.
(ulimit -s 64 && "$simulate" "${tiny[@]}" --set /model=mlp --sweep /seed=1..4 >/dev/null 2>"$work/stderr") ||
  fault "a sweep, ulimit -s 64: $(cat "$work/stderr")"
(ulimit -s 64 && "$simulate" --list >/dev/null) || fault "--list, ulimit -s 64"

# limited <KiB> <argument>... of expect.
limited() {
  (ulimit -s "$1" && shift && expect "$@" && exit "$failures") || failures=$((failures + 1))
}
limited 64 2 "--config: expected a value after the option, got nothing" --config
limited 48 2 "stack: expected a limit of at least 64 KiB (ulimit -s), got 48 KiB" "${tiny[@]}"
finish
