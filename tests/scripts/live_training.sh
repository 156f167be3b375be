#!/usr/bin/env bash
# gossip-live trains for real: models learn, replicas of all-reduce stay identical, a slow learner
# holds up those that wait for it and nobody else.
. "$(dirname "$0")/live.bash"

for method in all_reduce d_psgd ad_psgd; do
  completes 4 --method $method --model mlp --epochs 3 --rate 0.03
  accuracy=$(field averaged_model_accuracy)
  echo "$method: accuracy ${accuracy:-none}, sum kept to $(field sum_error)"
  holds "${accuracy:-0} > 0.85" || fault "$method: accuracy $accuracy"
  holds "${accuracy:-0} <= 1" || fault "$method: accuracy $accuracy"
  holds "${accuracy:-0} > 0 && $(field sum_error) < 1e-5" || fault "$method: sum $(field sum_error)"
  distinct=$(sed -n 's/^ *"accuracy": //p' "$work/summary.json" | sort -u | wc -l)
  [ $method != all_reduce ] || [ "$distinct" -eq 1 ] || fault "replicas differ in accuracy"
done

# Twelve rounds of 20 ms, one learner eight times slower.
seconds() {
  completes 4 --method "$1" --model softmax_regression --simulate 20ms,0 --epochs 0.192 \
    --slow "2=$2"
  field wall_seconds
}
for method in all_reduce d_psgd; do
  slow=$(seconds $method 8)
  echo "$method: $slow s with a slow learner"
  holds "${slow:-0} >= 1.9" || fault "$method: a learner eight times slower costs only $slow s"
done
quick=$(seconds ad_psgd 8)
echo "ad_psgd: $quick s with a slow learner"
holds "${quick:-9} < 1.9" || fault "ad_psgd: waits for the slow learner: $quick s"
finish
