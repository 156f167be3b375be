#!/usr/bin/env bash
# --dry-run for every exchange, model and topology, and for 100,000 nodes; --list and --help.
. "$(dirname "$0")/driver.bash"

# plan <what to look for> <argument>...
plan() {
  local pattern=$1
  shift
  "$simulate" --dry-run "$@" >"$work/stdout" 2>"$work/stderr" ||
    fault "--dry-run $*: $(cat "$work/stderr")"
  [ ! -s "$work/stderr" ] || fault "--dry-run $* says $(cat "$work/stderr")"
  grep -qE "$pattern" "$work/stdout" || fault "--dry-run $*: no '$pattern' in"$'\n'"$(cat "$work/stdout")"
}

short=(--set /stop='{"rounds":2}')
for kind in ring ring_lattice chain grid torus complete star hypercube shrinking_lattice random_regular erdos_renyi \
  watts_strogatz barabasi_albert stochastic_blocks dumbbell base_graph \
  equi_static equi_dynamic group_grid; do
  plan '^node-iterations +128$' "${short[@]}" --set /topology=$kind --set /exchange=d_psgd
done
plan '^node-iterations +126$' "${short[@]}" --set /topology=tree
for kind in exponential one_peer_exponential; do
  plan '^node-iterations +128$' "${short[@]}" --set /topology=$kind --set /exchange=d_psgd \
    --set /exchange/weights=uniform_neighbor
done
plan '^node-iterations +128$' "${short[@]}" --set /topology=random_out --set /exchange=push_sum
plan '^spectral gap +1$' "${short[@]}" --set /topology=one_peer_exponential --set /exchange=d_psgd \
  --set /exchange/weights=one_peer
plan '^node-iterations +50$' "${short[@]}" --set /topology='{"kind":"base_graph","nodes":25,"peers":2}' \
  --set /exchange=d_psgd --set /exchange/weights='{"kind":"base_graph","peers":2}'
for kind in equi_static equi_dynamic; do
  for directed in true false; do
    plan '^node-iterations +128$' "${short[@]}" --set /topology/kind=$kind \
      --set /topology/directed=$directed --set /exchange=d_psgd --set /exchange/weights=equi
  done
done
plan '^spectral gap +1$' "${short[@]}" --set /topology=group_grid --set /exchange=d_psgd
for weights in metropolis_hastings lazy_metropolis max_degree best_constant lazy uniform_neighbor; do
  plan '^node-iterations +128$' "${short[@]}" --set /topology=ring --set /exchange=d_psgd \
    --set /exchange/weights=$weights
done
for exchange in none all_reduce d_psgd ad_psgd; do
  plan '^virtual seconds +0\.0[0-9]+$' "${short[@]}" --set /exchange=$exchange
done
others=$(exchanges_but none all_reduce d_psgd ad_psgd scaffold)
[ "$(wc -w <<<"$others")" -ge 40 ] || fault "--list has too few exchanges: $others"
for exchange in $others; do
  plan '^node-iterations +128$' "${short[@]}" --set /exchange=$exchange
done
# Its clients take four local steps a round, of which there is at least one.
plan '^node-iterations +256$' "${short[@]}" --set /exchange=scaffold
plan '^remark +scaffold: the run has 1 round of 64 clients with 4 local steps each, 256 node-iterations per round$' \
  "${short[@]}" --set /exchange=scaffold
plan '^remark +diloco: no outer step comes within the run: the first would come after 500 rounds, and the run has 2$' \
  "${short[@]}" --set /exchange=diloco
plan '^remark +diloco sends nothing within the run.s 128 node-iterations$' "${short[@]}" --set /exchange=diloco
plan '^spectral gap +none without a matrix of weights$' "${short[@]}" --set /exchange=epidemic_learning
for model in lenet5 mlp softmax_regression quadratic; do # the larger ones: driver_models.sh
  plan '^memory needed +[0-9.]+ [kMG]B$' "${short[@]}" --set /model=$model
done
for optimizer in sgd adam adamw; do
  plan '^state of a node +[0-9.]+ MB$' "${short[@]}" --set /optimizer=$optimizer
done
plan '^bytes sent +0$' "${short[@]}" --set /exchange=none
plan '^node-iterations +200000$' "${short[@]}" --set /topology/nodes=100000
plan '^The run itself would be refused: digits has 8000 samples for 100000 nodes\.$' \
  "${short[@]}" --set /topology/nodes=100000

# A constant clock without a network: three rounds of 10 ms.
plan '^virtual seconds +0\.03$' --set /exchange=none --set /clock/compute=constant \
  --set /stop='{"rounds":3}'
# A slow node makes every round as slow where all wait for all.
plan '^virtual seconds +0\.3$' --set /exchange=all_reduce --set /clock/compute=constant \
  --set /stop='{"rounds":3}' --set /clock/link='{"latency":"0ns","bandwidth":"1000TB/s"}' \
  --set '/clock/slow=[{"node":5,"factor":10}]'
# A quarter of the nodes takes 40 ms, the others 10 ms: all wait for these, or none does.
plan '^virtual seconds +0\.12$' --set /exchange=all_reduce --set /clock/compute=constant \
  --set /stop='{"rounds":3}' --set /clock/link='{"latency":"0ns","bandwidth":"1000TB/s"}' \
  --set '/clock/kinds=[{"share":0.25,"factor":4}]'
plan '^virtual seconds +0\.021$' --set /exchange=all_reduce --set /clock/compute=constant \
  --set /stop='{"rounds":3}' --set /clock/link='{"latency":"0ns","bandwidth":"1000TB/s"}' \
  --set '/clock/kinds=[{"share":1,"compute":{"kind":"constant","mean":"7ms"}}]'
# Measured times, 20, 5 and 20 ms, of all nodes.
printf 'step,duration_ms\n0,20\n1,5\n' >"$work/times.csv"
plan '^virtual seconds +0\.045$' --set /exchange=none --set /clock/compute/kind=trace \
  --set "/clock/compute/path=$work/times.csv" --set /stop='{"rounds":3}'
# Ten times as long from 5 ms on, until 55 ms: 5 ms, and 50 ms for as much; then two rounds more.
plan '^virtual seconds +0\.075$' --set /exchange=all_reduce --set /clock/compute=constant \
  --set /stop='{"rounds":3}' --set /clock/link='{"latency":"0ns","bandwidth":"1000TB/s"}' \
  --set '/clock/slow=[{"node":5,"factor":10,"from":"5ms","until":"55ms"}]'

"$simulate" --list >"$work/list" || fault "--list: exit status"
for word in ring torus complete star hypercube random_regular erdos_renyi edge_list matrix_market edge_schedule digits mnist \
  cifar10 synthetic crop_and_flip iid dirichlet shards lenet5 lenet5_classic lenet5_cifar10 mlp softmax_regression \
  resnet20 resnet18 vgg11 vgg16 quadratic sgd adam adamw constant step cosine warm_up none all_reduce d_psgd \
  gradient_tracking momentum_mixing local_sgd d2 extra gut quasi_global_momentum slow_mo diloco streaming_diloco noloco gasloc decent_lam global_merge epidemic_learning mosaic matcha teleportation k_gt clipped_gossip robust_gossip sam_d_psgd muon_d_psgd choco_sgd beer motef deep_squeeze power_gossip ef_sgd sparse_loco decoupled_momentum push_sum overlapped_push_sum running_sums_push_sum relay_sgd fed_avg fed_prox fed_opt scaffold parameter_server buffered_gossip variance_corrected_gossip synchronous_server softsync gossip_learning swift div_share ad_psgd overlapped_ad_psgd a2cid2 \
  lognormal; do
  grep -qE "^ +$word " "$work/list" || fault "--list lacks $word"
done
"$simulate" --help | grep -q '^gossip-simulate \[--config FILE\]' || fault "--help"
finish
