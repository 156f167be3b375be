#!/usr/bin/env bash
# Live all-reduce and D-PSGD end with the digest that gossip-simulate has for the same run.
. "$(dirname "$0")/live.bash"

simulate=$GOSSIP_BIN/gossip-simulate
require_program "$simulate"
for method in all_reduce d_psgd; do
  for setting in "1 mlp" "2 mlp" "3 mlp" "5 mlp" "3 lenet5"; do
    read -r ranks model <<<"$setting"
    expected=$("$simulate" --quiet --set /model="$model" --set /exchange=$method \
      --set /topology='{"kind":"ring","nodes":'"$ranks"'}' --set /batch=32 \
      --set /optimizer='{"kind":"sgd","rate":0.02,"momentum":0.9,"weight_decay":0.001,
        "schedule":{"kind":"constant"}}' \
      --set /stop='{"epochs":0.1}' --set /evaluate='{"nodes":1,"samples":64}' |
      awk '$1 == "digest" {print $2}')
    completes "$ranks" --method $method --model "$model" --epochs 0.1 --rate 0.02 \
      --weight-decay 0.001 --test-samples 64
    got=$(field digest)
    echo "$method, $ranks ranks, $model: $got"
    [ -n "$expected" ] && [ "$got" = "$expected" ] ||
      fault "$method, $ranks ranks, $model: digest $got live, $expected simulated"
  done
done
finish
