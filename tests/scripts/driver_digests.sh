#!/usr/bin/env bash
# The digest of a run does not depend on threads, processors or engine; for every exchange.
. "$(dirname "$0")/driver.bash"

run=("${tiny[@]}" --set /topology='{"kind":"random_regular","nodes":8,"degree":3}')
for exchange in none all_reduce d_psgd ad_psgd; do
  with=("${run[@]}" --set /exchange=$exchange)
  expected=$(OMP_NUM_THREADS=1 digest "${with[@]}")
  [ ${#expected} -eq 16 ] || fault "$exchange: no digest: $(cat "$work/stderr")"
  same() {
    [ "$2" = "$expected" ] || fault "$exchange, $1: $2, not $expected"
  }
  same "2 threads" "$(OMP_NUM_THREADS=2 digest "${with[@]}")"
  same "3 threads by configuration" "$(digest "${with[@]}" --set /threads=3)"
  if command -v taskset >/dev/null; then
    same "one processor" "$(taskset -c 0 "$simulate" "${with[@]}" | awk '$1 == "digest" {print $2}')"
  fi
  same "reference engine" "$(digest "${with[@]}" --set /engine=reference)"
  moved=("${with[@]}" --set /data/augmentation=crop_and_flip)
  varied=$(digest "${moved[@]}")
  [ "$varied" != "$expected" ] || fault "$exchange: the augmentation is nothing"
  [ "$(OMP_NUM_THREADS=1 digest "${moved[@]}" --set /engine=reference)" = "$varied" ] ||
    fault "$exchange: augmented, the reference engine gives another digest"
  [ "$(digest "${with[@]}" --set /seed=2)" != "$expected" ] || fault "$exchange: the seed is nothing"
  [ "$(digest "${with[@]}" --set /evaluate/every='{"rounds":1}')" = "$expected" ] ||
    fault "$exchange: evaluating changes the run"
done
others=$(exchanges_but none all_reduce d_psgd ad_psgd)
[ "$(wc -w <<<"$others")" -ge 40 ] || fault "--list has too few exchanges: $others"
for exchange in $others; do
  with=("${run[@]}" --set /exchange=$exchange --set /model=softmax_regression)
  expected=$(OMP_NUM_THREADS=1 digest "${with[@]}")
  [ ${#expected} -eq 16 ] || fault "$exchange: no digest: $(cat "$work/stderr")"
  [ "$(OMP_NUM_THREADS=2 digest "${with[@]}" --set /engine=reference)" = "$expected" ] ||
    fault "$exchange: the reference engine gives another digest"
done
finish
