#!/usr/bin/env bash
# The public benchmarks of bench/published and the sweep of a published table: each configuration is
# planned, the small one is run.
. "$(dirname "$0")/driver.bash"
if [ ! -d "${GOSSIP_DATA:-}/mnist" ] || [ ! -d "$GOSSIP_DATA/cifar-10" ]; then
  echo "skipped: GOSSIP_DATA names no folder with mnist and cifar-10"
  exit 77
fi
folder=$GOSSIP_SOURCE/bench/published
for name in "$folder"/flute_lr_mnist:mnist "$folder"/blazefl_cnn_cifar10:cifar-10 \
  "$GOSSIP_SOURCE"/samples/photographs/three_methods:cifar-10; do
  config=${name%:*}.json data=$GOSSIP_DATA/${name##*:}
  if grep -q lenet5_cifar10 "$config" && ! "$simulate" --list | grep -q '^ *lenet5_cifar10 .*parameters$'; then
    continue
  fi
  "$simulate" --dry-run --config "$config" --set /data/path="$data" >"$work/stdout" 2>"$work/stderr" ||
    fault "$config: $(cat "$work/stderr")"
done

# 100 rounds of 10 clients, 6 steps each: 6,000 trainings; logistic regression gets to nine tenths.
"$simulate" --quiet --config "$folder/flute_lr_mnist.json" --set /data/path="$GOSSIP_DATA/mnist" \
  >"$work/stdout" 2>"$work/stderr" || fault "flute_lr_mnist: $(cat "$work/stderr")"
grep -qE '^node-iterations +6000$' "$work/stdout" || fault "flute_lr_mnist: not 6000 trainings"
awk '$1 == "accuracy," && $2 == "mean" && $3 > 0.9 {found = 1} END {exit !found}' "$work/stdout" ||
  fault "flute_lr_mnist: $(grep accuracy "$work/stdout")"
finish
