#!/usr/bin/env bash
# A thousand rounds on four ranks take the memory of the first ones, with either kind of exchange.
. "$(dirname "$0")/ranks.bash"

# peak <exchange> <rounds>: bytes of the largest rank.
peak() {
  spread 4 "${quick[@]}" --set /topology='{"kind":"random_regular","nodes":32,"degree":4}' \
    --set /exchange="$1" --set /stop="{\"rounds\":$2}" --set /batch=4 --set /evaluate/every="{\"rounds\":100}" \
    --out "$work/$1.$2" >"$work/stdout" 2>"$work/stderr" || fault "$1: $(cat "$work/stderr")"
  sed -n 's/.*"peak_resident_bytes": \([0-9]*\).*/\1/p' "$work/$1.$2/summary.json"
}

for exchange in d_psgd ad_psgd; do
  short=$(peak $exchange 100)
  long=$(peak $exchange 1000)
  echo "$exchange: $short bytes after 100 rounds, $long after 1,000"
  [ "$long" -le $((short + short / 20)) ] || fault "$exchange: memory grows"
done
finish
