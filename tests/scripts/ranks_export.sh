#!/usr/bin/env bash
# Models that ranks write are those of one process, and ranks begin with the same file as it.
. "$(dirname "$0")/ranks.bash"

mkdir -p "$work/one" "$work/three"
for exchange in d_psgd ad_psgd all_reduce fed_avg; do
  run=("${quick[@]}" --set /exchange=$exchange --export mean)
  [ $exchange = fed_avg ] || run+=(--export nodes)
  "$simulate" "${run[@]}" --out "$work/one/$exchange" >/dev/null || fault "$exchange"
  spread 3 "${run[@]}" --out "$work/three/$exchange" >/dev/null || fault "$exchange on 3 ranks"
  diff -r -x summary.json -x metrics.jsonl "$work/one/$exchange" "$work/three/$exchange" ||
    fault "$exchange: 3 ranks write other models"
  [ -s "$work/three/$exchange/mean.safetensors" ] || fault "$exchange: no mean"
done

begun=("${quick[@]}" --start "$work/one/d_psgd/mean.safetensors")
[ "$(spread 3 "${begun[@]}" | awk '$1 == "digest" {print $2}')" = "$(digest "${begun[@]}")" ] ||
  fault "--start on 3 ranks is another run"
[ "$(digest "${begun[@]}")" != "$(digest "${quick[@]}")" ] || fault "--start changes nothing"
finish
