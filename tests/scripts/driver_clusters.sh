#!/usr/bin/env bash
# The clusters of samples/clusters are planned, and runs on them do not depend on engine, threads or
# ranks. Contention costs time, and no bit where bandwidth is unlimited.
. "$(dirname "$0")/driver.bash"
folder=$GOSSIP_SOURCE/samples/clusters

# seconds <argument>...: virtual, of a dry run.
seconds() {
  "$simulate" --dry-run "$@" 2>"$work/stderr" | awk '/^virtual seconds/ {print $3}'
}
longer() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a > b)}'; }

short=(--quiet --set /stop='{"rounds":4}' --set /model=softmax_regression
  --set /evaluate='{"nodes":2,"samples":64,"at_end":{"nodes":2,"samples":64}}')
for config in "$folder"/*.json; do
  for exchange in ad_psgd d_psgd; do
    run=("${short[@]}" --config "$config" --set /exchange=$exchange)
    took=$(seconds "${run[@]}")
    longer "${took:-0}" 0 || fault "$config, $exchange: $(cat "$work/stderr")"
    expected=$(digest "${run[@]}" --set /threads=1)
    [ ${#expected} -eq 16 ] || fault "$config, $exchange: no digest: $(cat "$work/stderr")"
    [ "$(digest "${run[@]}" --set /threads=2)" = "$expected" ] || fault "$config, $exchange: two threads"
    [ "$(digest "${run[@]}" --set /engine=reference)" = "$expected" ] ||
      fault "$config, $exchange: reference"
  done
done

# Half of a model's way is shared: messages that meet take longer, and more so one after another.
busy=(--set /topology='{"kind":"complete","nodes":8}' --set /stop='{"rounds":6}'
  --set /exchange=synchronous_server --set /clock/link/bandwidth=10MB/s)
alone=$(seconds "${busy[@]}") shared=$(seconds "${busy[@]}" --set /clock/contention=fair_share)
longer "$shared" "$alone" || fault "a server whose link is shared: $shared s, not shared: $alone s"

# A wide link: the plan without contention.
for exchange in ad_psgd d_psgd all_reduce gossip_learning; do
  wide=("${short[@]}" --set /topology='{"kind":"complete","nodes":6}' --set /exchange=$exchange
    --set /clock/link/bandwidth=1e9TB/s)
  expected=$(digest "${wide[@]}") took=$(seconds "${wide[@]}")
  for contention in fifo_nic fair_share; do
    [ "$(digest "${wide[@]}" --set /clock/contention=$contention)" = "$expected" ] ||
      fault "$exchange, $contention: another digest"
    [ "$(seconds "${wide[@]}" --set /clock/contention=$contention)" = "$took" ] ||
      fault "$exchange, $contention: not $took s"
  done
done
finish
