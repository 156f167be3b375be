#!/usr/bin/env bash
# Every field of a configuration wrong in turn: one sentence that names it, exit status 2.
. "$(dirname "$0")/driver.bash"

whole() { echo "expected a whole number of at least $1, got $2"; }
topologies="ring, ring_lattice, chain, grid, torus, complete, star, tree, dumbbell, hypercube, exponential, one_peer_exponential, base_graph, equi_static, equi_dynamic, group_grid, shrinking_lattice, random_regular, erdos_renyi, watts_strogatz, barabasi_albert, stochastic_blocks, random_out, edge_list, matrix_market, graphml, adjacency_list, adjacency_matrix, metis, edge_schedule"

# wrong <sentence> <setting>...: the sentence is about the last setting.
wrong() {
  local sentence=$1 settings=() setting
  shift
  for setting in "$@"; do settings+=(--set "$setting"); done
  expect 2 "--set: ${setting%%=*}: $sentence" "${settings[@]}"
  echo "${setting%%=*}" >>"$work/tried"
}

wrong "$(whole 0 -1)" /seed=-1
wrong "$(whole 0 1.5)" /seed=1.5
wrong "$(whole 0 '"one"')" /seed=one
wrong "expected an object with a kind, or one of $topologies, got 7" /topology=7
wrong "expected one of $topologies, got \"rnig\"; did you mean ring?" /topology=rnig
wrong "expected one of $topologies, got \"rnig\"; did you mean ring?" /topology/kind=rnig
wrong "expected one of $topologies, got 3" /topology/kind=3
for kind in ring complete star random_regular erdos_renyi; do
  wrong "expected a whole number from 1 to 4294967295, got 0" /topology/kind=$kind /topology/nodes=0
  wrong "expected a whole number from 1 to 4294967295, got \"many\"" \
    /topology/kind=$kind /topology/nodes=many
done
wrong "expected a whole number from 1 to 4294967295, got 4294967296" /topology/nodes=4294967296
wrong "9 nodes of degree 3 do not exist (the product must be even)" \
  /topology/nodes=9 /topology/degree=3
wrong "must be below nodes (64), got 64" /topology/degree=64
wrong "64 nodes of degree 1 are never connected" /topology/degree=1
wrong "expected a whole number from 0 to 4294967295, got true" /topology/degree=true
wrong "$(whole 0 -1)" /topology/seed=-1
wrong "$(whole 0 '"one"')" /topology/kind=erdos_renyi /topology/seed=one
wrong "unknown key; ring has kind and nodes; equi_static, equi_dynamic, group_grid and 6 others have it" \
  /topology/kind=ring /topology/seed=1
wrong "unknown key; random_regular has kind, nodes, degree and seed; did you mean degree?" \
  /topology/degre=3
wrong "unknown key; ring has kind and nodes; erdos_renyi has it" \
  /topology/kind=ring /topology/probability=0.5
wrong "expected a whole number from 0 to 26, got 27" /topology/kind=hypercube /topology/dimension=27
wrong "expected a whole number from 3 to 4294967295, got 2" /topology/kind=torus /topology/rows=2
wrong "expected a whole number from 3 to 4294967295, got 2" /topology/kind=torus /topology/columns=2
wrong "expected a number from 0 to 1, got 1.5" /topology/kind=erdos_renyi /topology/probability=1.5
wrong "found no connected graph of 64 nodes with probability 0.001; 0.129965 (2 ln n / n) is usually enough, or set allow_disconnected" \
  /topology/kind=erdos_renyi /topology/allow_disconnected=false /topology/probability=0.001
wrong "expected true or false, got 1" /topology/kind=erdos_renyi /topology/allow_disconnected=1
wrong "expected an even number from 2, below nodes (64), got 3" \
  /topology/kind=ring_lattice /topology/degree=3
wrong "expected a number from 0 to 1, got 2" /topology/kind=watts_strogatz /topology/rewired=2
wrong "expected a whole number from 1 to 4294967295, got 0" \
  /topology/kind=barabasi_albert /topology/edges_each=0
for field in blocks size; do
  wrong "expected a whole number from 1 to 4294967295, got 0" \
    /topology/kind=stochastic_blocks /topology/$field=0
done
for field in within between; do
  wrong "expected a number from 0 to 1, got -1" \
    /topology/kind=stochastic_blocks /topology/$field=-1
done
wrong "expected a whole number from 1 to 4294967295, got 0" /topology/kind=dumbbell /topology/clique=0
wrong "expected a whole number from 1 to 4294967295, got 0" /topology/kind=tree /topology/children=0
wrong "expected a whole number from 1 to 4294967295, got 0" /topology/kind=base_graph /topology/peers=0
wrong "expected a whole number from 1 to 4294967295, got 0" \
  /topology/kind=equi_static /topology/offsets=0
wrong "expected at most 32 (nodes / 2), got 33" /topology/kind=equi_static /topology/offsets=33
for kind in equi_static equi_dynamic; do
  wrong "expected true or false, got 1" /topology/kind=$kind /topology/directed=1
done
wrong "$(whole 1 0)" /topology/kind=equi_dynamic /topology/rounds=0
wrong "expected a whole number from 2 to 4294967295, got 1" \
  /topology/kind=group_grid /topology/side=1
wrong "$(whole 1 0)" /topology/kind=group_grid /topology/passes=0
wrong "expected a whole number from 2 to 4294967295, got 1" \
  /topology/kind=shrinking_lattice /topology/by=1
wrong "$(whole 1 0)" /topology/kind=shrinking_lattice /topology/every=0
wrong "expected a whole number from 0 to 4294967295, got -1" \
  /topology/kind=shrinking_lattice /topology/least=-1
wrong "$(whole 1 0)" /topology/kind=edge_schedule /topology/path=x /topology/unit=0
for field in keep repeats; do
  wrong "expected true or false, got 1" /topology/kind=edge_schedule /topology/path=x /topology/$field=1
done
for kind in edge_list matrix_market graphml adjacency_list adjacency_matrix metis; do
  expect 2 "--set: /topology/path: expected text (path of the file, gzipped or not), got nothing" \
    --set /topology/kind=$kind
  wrong "expected text, got 7" /topology/kind=$kind /topology/path=7
  wrong "expected true or false, got \"yes\"" /topology/kind=$kind /topology/path=x \
    /topology/allow_disconnected=yes
  wrong "expected true or false, got []" /topology/kind=$kind /topology/path=x \
    /topology/largest_component=[]
done
expect 2 "/nowhere/graph.txt: expected a readable file, got 'No such file or directory'" \
  --set /topology/kind=edge_list --set /topology/path=/nowhere/graph.txt

wrong "expected one of digits, mnist, cifar10, numpy, csv, leaf, synthetic, got \"cifar\"; did you mean cifar10?" \
  /data=cifar
wrong "expected text, got 7" /data/path=7
expect 2 "/nowhere: expected a folder of IDX files, got none" --set /data/path=/nowhere
expect 2 "--set: /data/path: expected text (folder with the four IDX files, gzipped or not), got nothing" \
  --set /data=mnist
expect 2 "--set: /data/path: expected text (folder with the binary batches, gzipped or not), got nothing" \
  --set /data=cifar10
wrong "expected text, got 7" /data/kind=cifar10 /data/path=7
wrong "expected first or last, got 1" /data/kind=numpy /data/path=x /data/channels=1
wrong "expected first or last, got 1" /data/kind=csv /data/path=x /data/test_path=x /data/label=1
wrong "expected text, got 7" /data/kind=csv /data/path=x /data/test_path=7
wrong "expected a whole number from 0 to 100000000, got -1" /data/flipped_nodes=-1
expect 2 "--set: /data/flipped_nodes: expected at most the 64 nodes, got 65" --set /data/flipped_nodes=65
wrong "expected one of none, crop_and_flip, got \"crop\"" /data/augmentation=crop
crop=/data/augmentation/kind=crop_and_flip
wrong "expected a whole number from 0 to 1000000, got -1" $crop /data/augmentation/padding=-1
wrong "expected less than the 28 pixels of a side, got 28" $crop /data/augmentation/padding=28
wrong "expected true or false, got 1" $crop /data/augmentation/flip=1
for field in samples test_samples; do
  wrong "expected a whole number from 1 to 10000000, got 0" /data/kind=synthetic /data/$field=0
done
wrong "expected a whole number from 1 to 10, got 11" /data/kind=synthetic /data/classes=11
wrong "expected a number from 0 to 1000000, got -1" /data/kind=synthetic /data/noise=-1
wrong "$(whole 0 -1)" /data/kind=synthetic /data/seed=-1
wrong "expected one of iid, dirichlet, dirichlet_groups, node_dirichlet, shards, limited_labels, sorted_labels, quantity_skew, by_user, got \"idd\"; did you mean iid?" /data/split=idd
for kind in iid dirichlet shards; do
  wrong "$(whole 0 1.5)" /data/split/kind=$kind /data/split/seed=1.5
done
wrong "expected a number from 1e-06 to 1000000, got 0" \
  /data/split/kind=dirichlet /data/split/alpha=0
wrong "expected at most 125 (8000 samples, 64 nodes), got 126" \
  /data/split/kind=dirichlet /data/split/minimum=126
wrong "$(whole 0 -3)" /data/split/kind=dirichlet /data/split/minimum=-3
wrong "expected a whole number from 1 to 4294967295, got 0" \
  /data/split/kind=shards /data/split/per_node=0
for kind in dirichlet_groups node_dirichlet quantity_skew; do
  wrong "expected a number from 1e-06 to 1000000, got 0" /data/split/kind=$kind /data/split/alpha=0
done
wrong "expected a whole number from 1 to 4294967295, got 0" \
  /data/split/kind=dirichlet_groups /data/split/group=0
wrong "expected true or false, got 1" /data/split/kind=node_dirichlet /data/split/replacement=1
wrong "expected a whole number from 1 to 65535, got 0" \
  /data/split/kind=limited_labels /data/split/per_node=0
wrong "$(whole 1 0)" /data/split/kind=quantity_skew /data/split/least=0

models="lenet5, lenet5_classic, lenet5_cifar10, mlp, softmax_regression, resnet20, resnet18, vgg11, vgg16, quadratic"
wrong "expected one of $models, got \"lenet\"; did you mean lenet5?" /model=lenet
wrong "expected a non-empty list, each element a number above 0 and at most 1000000, got []" \
  /model/kind=quadratic /model/curvature=[]
wrong "expected a non-empty list, each element a number from -1000000 to 1000000, or a list of such numbers, got 1" \
  /model/kind=quadratic /model/optimum=1
optimum="--set: /model/optimum"
expect 2 "$optimum/1: expected a non-empty list, each element a number from -1000000 to 1000000, got []" \
  --set /model/kind=quadratic --set '/model/optimum=[1, []]'
expect 2 "$optimum/0/1: expected a number from -1000000 to 1000000, got \"x\"" \
  --set /model/kind=quadratic --set '/model/optimum=[[1, "x"]]'
wrong "expected per node one number or a list of 16, one per coordinate, got 2 numbers in entry 2" \
  /model/kind=quadratic '/model/optimum=[1, [1, 2]]'
wrong "expected a number from 0 to 1000000, got -1" /model/kind=quadratic /model/noise=-1
wrong "expected a number from -1000000 to 1000000, got 10000000" \
  /model/kind=quadratic /model/start=10000000
wrong "the quadratic model has no data set; leave this field out" /model=quadratic /data=digits
for kind in resnet20 resnet18 vgg11 vgg16; do
  wrong "expected mixed, own or reestimated, got \"shared\"" /model/kind=$kind /model/statistics=shared
done
wrong "unknown key; lenet5 has kind; resnet20, resnet18, vgg11 and vgg16 have it" \
  /model/kind=lenet5 /model/statistics=own

wrong "expected text, got 7" /start=7

wrong "expected one of fp32, fp16, bf16, got \"fp8\"; did you mean fp32?" /precision=fp8
wrong "expected float, bf16 or fp16, got \"fp8\"; did you mean fp16?" /storage=fp8
expect 2 "storage: expected float or bf16 for an optimizer that keeps squares of gradients, most of which are below the numbers of fp16, got fp16" \
  --set /optimizer=adam --set /storage=fp16
wrong "expected a number from 6.103515625e-05 to 16777216, got 0" \
  /precision/kind=fp16 /precision/loss_scale=0
# Behind the question whether the model is built in with fp16.
if "$simulate" --dry-run --set /precision=fp16 >"$work/stdout" 2>"$work/stderr"; then
  wrong "expected a power of two from 2^-14 to 2^24, got 1000" \
    /precision/kind=fp16 /precision/loss_scale=1000
else
  grep -q 'with which lenet5 is built in' "$work/stderr" || fault "fp16: $(cat "$work/stderr")"
fi
wrong "$(whole 1 0)" /precision/kind=fp16 /precision/growth_interval=0

wrong "expected one of sgd, adam, adamw, got \"adma\"; did you mean adam?" /optimizer=adma
for kind in sgd adam adamw; do
  wrong "expected a number from 0 to 1000000, got -0.1" /optimizer/kind=$kind /optimizer/rate=-0.1
  wrong "expected a number from 0 to 1000000, got -1" \
    /optimizer/kind=$kind /optimizer/weight_decay=-1
done
wrong "expected a number from 0 to below 1, got 1" /optimizer/momentum=1
wrong "expected true or false, got 0" /optimizer/nesterov=0
wrong "expected a momentum with nesterov, got momentum 0" \
  /optimizer/momentum=0 /optimizer/nesterov=true
wrong "expected a number from 0 to below 1, got 1" /optimizer/kind=adam /optimizer/first_decay=1
wrong "expected a number from 0 to below 1, got 2" /optimizer/kind=adamw /optimizer/second_decay=2
wrong "expected a number above 0 and at most 1000000, got 0" \
  /optimizer/kind=adam /optimizer/epsilon=0
wrong "expected one of constant, step, cosine, warm_up, got \"linear\"" /optimizer/schedule=linear
wrong "expected a list, each element a number of at least 0, got 3" \
  /optimizer/schedule/kind=step /optimizer/schedule/at=3
wrong "expected a number above 0 and at most 1, got 0" \
  /optimizer/schedule/kind=step /optimizer/schedule/gamma=0
wrong "expected a number from 0 to 1, got 2" \
  /optimizer/schedule/kind=cosine /optimizer/schedule/last=2
wrong "expected a number of at least 0, got -1" \
  /optimizer/schedule/kind=cosine /optimizer/schedule/epochs=-1
wrong "expected a number of at least 0, got -1" /optimizer/schedule/epochs=-1
wrong "expected a number from 0 to 1, got -1" /optimizer/schedule/first=-1
wrong "expected one of constant, step, cosine, got \"warm_up\"" /optimizer/schedule/then=warm_up

wrong "expected one of none, all_reduce, local_sgd, slow_mo, diloco, streaming_diloco, noloco, gasloc, d_psgd, gradient_tracking, d2, extra, gut, k_gt, momentum_mixing, quasi_global_momentum, decent_lam, global_merge, epidemic_learning, mosaic, matcha, teleportation, clipped_gossip, robust_gossip, sam_d_psgd, muon_d_psgd, choco_sgd, beer, motef, deep_squeeze, power_gossip, ef_sgd, sparse_loco, decoupled_momentum, push_sum, overlapped_push_sum, running_sums_push_sum, relay_sgd, fed_avg, fed_prox, fed_opt, scaffold, parameter_server, buffered_gossip, variance_corrected_gossip, synchronous_server, softsync, gossip_learning, swift, div_share, ad_psgd, overlapped_ad_psgd, a2cid2, got \"psgd\"; did you mean d_psgd?" \
  /exchange=psgd
wrong "expected own or mixed, got \"all\"" /exchange/kind=gut /exchange/point=all
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=scaffold /exchange/server_rate=-1
wrong "expected true or false, got 0" /exchange/kind=softsync /exchange/by_staleness=0
wrong "$(whole 0 -1)" /exchange/kind=synchronous_server /exchange/wait_for=-1
wrong "expected nodes or servers, got \"workers\"" /exchange/kind=parameter_server /exchange/evaluated=workers
wrong "expected ring, one_peer or complete, got \"all\"" /exchange/kind=teleportation /exchange/among=all
wrong "expected random_walk, merge_update or update_merge, got \"all\"" \
  /exchange/kind=gossip_learning /exchange/creation=all
wrong "expected a duration such as 10ms, at least 1ns, got 7" \
  /exchange/kind=gossip_learning /exchange/period=7
wrong "$(whole 1 0)" /exchange/kind=global_merge /exchange/merged_after=0
wrong "$(whole 1 0)" /exchange/kind=fed_avg /exchange/local_steps=0
wrong "$(whole 0 -1)" /exchange/kind=fed_avg /exchange/clients=-1
wrong "$(whole 0 -1)" /exchange/kind=fed_avg /exchange/population=-1
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=fed_prox /exchange/proximal=-1
wrong "expected gradient or mean_step, got \"mean\"" /exchange/kind=scaffold /exchange/control=mean
wrong "expected every_node or one_side, got \"both\"" /exchange/kind=overlapped_ad_psgd \
  /exchange/askers=both
wrong "expected momentum, adagrad, yogi or adam, got \"sgd\"" /exchange/kind=fed_opt /exchange/by=sgd
wrong "expected a number above 0 and at most 1000000, got 0" /exchange/kind=fed_opt /exchange/floor=0
wrong "expected a number above 0 and at most 1, got 1.5" /exchange/kind=deep_squeeze /exchange/share=1.5
wrong "expected a whole number from 1 to 4294967295, got 0" /exchange/kind=power_gossip /exchange/rank=0
wrong "expected a whole number from 1 to 4294967295, got 0" /exchange/kind=power_gossip /exchange/steps=0
wrong "expected a number above 0 and at most 1, got 1.5" /exchange/kind=choco_sgd /exchange/share=1.5
wrong "expected a number above 0 and at most 1, got 0" /exchange/kind=beer /exchange/share=0
wrong "expected a number from 0 to below 1, got 1" /exchange/kind=motef /exchange/momentum=1
wrong "expected a number above 0 and at most 1, got 0" \
  /exchange/kind=deep_squeeze /exchange/codec/kind=top_k /exchange/codec/share=0
wrong "expected a number above 0 and at most 1, got 2" \
  /exchange/kind=choco_sgd /exchange/codec/kind=random_k /exchange/codec/share=2
wrong "expected true or false, got 1" \
  /exchange/kind=choco_sgd /exchange/codec/kind=random_k /exchange/codec/unbiased=1
wrong "expected a whole number from 1 to 32767, got 0" \
  /exchange/kind=choco_sgd /exchange/codec/kind=qsgd /exchange/codec/levels=0
wrong "expected true or false, got 1" \
  /exchange/kind=choco_sgd /exchange/codec/kind=qsgd /exchange/codec/scaled=1
for name in chunk kept; do
  wrong "expected a whole number from 1 to 1048576, got 0" \
    /exchange/kind=choco_sgd /exchange/codec/kind=chunked_top_k /exchange/codec/$name=0
  wrong "expected a whole number from 1 to 128, got 129" \
    /exchange/kind=choco_sgd /exchange/codec/kind=cosine_top_k /exchange/codec/$name=129
done
for kind in clipped_gossip sam_d_psgd; do
  wrong "expected a number of at least 0, got -1" /exchange/kind=$kind /exchange/radius=-1
done
for name in least most; do
  wrong "expected a whole number from 1 to 4294967295, got 0" \
    /exchange/kind=buffered_gossip /exchange/$name=0
done
wrong "$(whole 0 -1)" /exchange/kind=buffered_gossip /exchange/buffer=-1
wrong "$(whole 1 0)" /exchange/kind=softsync /exchange/collected=0
wrong "expected equal or age, got \"none\"" /exchange/kind=gossip_learning /exchange/merging=none
wrong "expected a duration such as 10ms, at least 1ns, got 7" \
  /exchange/kind=buffered_gossip /exchange/tick=7
wrong "expected a duration such as 10ms, at least 1ns, got 7" \
  /exchange/kind=a2cid2 /exchange/unit=7
wrong "expected a number from 0 to 1, got 1.5" /exchange/kind=buffered_gossip /exchange/keep=1.5
wrong "expected a number from 0 to below 1, got 1" \
  /exchange/kind=quasi_global_momentum /exchange/decay=1
wrong "expected a number from 0 to below 1, got 1" /exchange/kind=slow_mo /exchange/slow_momentum=1
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=slow_mo /exchange/scale=-1
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=diloco /exchange/outer_rate=-1
wrong "expected a number from 0 to below 1, got 1" /exchange/kind=diloco /exchange/outer_momentum=1
wrong "$(whole 0 -1)" /exchange/kind=streaming_diloco /exchange/delay=-1
wrong "expected a number from 0 to 1, got 1.5" \
  /exchange/kind=streaming_diloco /exchange/own_share=1.5
wrong "$(whole 1 0)" /exchange/kind=overlapped_push_sum /exchange/period=0
wrong "$(whole 1 0)" /exchange/kind=gossip_learning /exchange/capacity=0
wrong "$(whole 1 0)" /exchange/kind=gossip_learning /exchange/reactivity=0
wrong "expected none, simple, generalized or randomized, got \"all\"" \
  /exchange/kind=gossip_learning /exchange/account=all
wrong "$(whole 0 -1)" /exchange/kind=buffered_gossip /exchange/relays=-1
wrong "expected self, others or conservative, got \"all\"" \
  /exchange/kind=variance_corrected_gossip /exchange/followed=all
wrong "expected a number of at least 0, got -1" \
  /exchange/kind=variance_corrected_gossip /exchange/smoothing=-1
wrong "expected a whole number from 1 to 100, got 0" /exchange/kind=muon_d_psgd /exchange/steps=0
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=noloco /exchange/pull=-1
wrong "expected a number from 0 to below 1, got 1" /exchange/kind=gut /exchange/tracking=1
wrong "expected neighbors or random_pairs, got \"all\"" /exchange/kind=gasloc /exchange/partners=all
rule=/exchange/kind=robust_gossip
wrong "expected a whole number from 1 to 4, got 5" \
  $rule /exchange/rule/kind=trimmed_mean /exchange/rule/cut=5
wrong "expected a whole number from 0 to 4294967295, got -1" \
  $rule /exchange/rule/kind=krum /exchange/rule/byzantine=-1
wrong "expected a whole number from 1 to 4294967295, got 0" \
  $rule /exchange/rule/kind=krum /exchange/rule/selected=0
wrong "expected a whole number from 1 to 4294967295, got 0" \
  $rule /exchange/rule/kind=geometric_median /exchange/rule/iterations=0
wrong "expected a number above 0, got 0" \
  $rule /exchange/rule/kind=geometric_median /exchange/rule/smoothing=0
wrong "expected coordinate_median or mean, got \"first\"" \
  $rule /exchange/rule/kind=geometric_median /exchange/rule/start=first
wrong "expected a whole number from 1 to 4294967295, got 0" \
  $rule /exchange/rule/kind=centered_clipping /exchange/rule/iterations=0
wrong "expected a number of at least 0, got -1" \
  $rule /exchange/rule/kind=centered_clipping /exchange/rule/radius=-1
wrong "expected a number of at least 0, got -1" \
  $rule /exchange/rule/kind=self_centered_clipping /exchange/rule/radius=-1
wrong "expected a number of at least 0, got -1" \
  $rule /exchange/attack/kind=inner_product /exchange/attack/scale=-1
wrong "expected a number of at least 0, got -1" \
  $rule /exchange/attack/kind=little_is_enough /exchange/attack/deviations=-1
wrong "expected a number of at least 0, got -1" \
  $rule /exchange/attack/kind=gaussian_noise /exchange/attack/deviation=-1
wrong "expected a whole number from 0 to 4294967295, got -1" \
  $rule /exchange/attack/kind=mimic /exchange/attack/victim=-1
wrong "expected a number above 0, got 0" \
  $rule /exchange/attack/kind=dissensus /exchange/attack/scale=0
wrong "expected a whole number from 0 to 4294967295, got -1" $rule /exchange/attackers=-1
wrong "expected a number from 0 to below 1, got 1" \
  /exchange/kind=decoupled_momentum /exchange/momentum=1
wrong "expected a number from 0 to 1, got 1.5" /exchange/kind=sparse_loco /exchange/decay=1.5
wrong "expected a number from 0 to 1000000, got -1" /exchange/kind=sparse_loco /exchange/outer_rate=-1
wrong "expected all or senders, got \"none\"" /exchange/kind=sparse_loco /exchange/counted=none
wrong "$(whole 1 0)" /exchange/kind=epidemic_learning /exchange/peers=0
wrong "expected a number above 0 and at most 1, got 0" /exchange/kind=matcha /exchange/budget=0
wrong "expected true or false, got 1" /exchange/kind=matcha /exchange/keep_positive=1
wrong "$(whole 1 0)" /exchange/kind=mosaic /exchange/fragments=0
wrong "$(whole 1 0)" /exchange/kind=teleportation /exchange/active=0
wrong "expected local or oracle, got \"all\"" \
  /exchange/kind=epidemic_learning /exchange/sampling=all
wrong "unknown key; relay_sgd has kind; d_psgd, gradient_tracking and global_merge have it" \
  /exchange/kind=relay_sgd /exchange/order=1
wrong "expected combine_then_adapt or adapt_then_combine, got \"both\"" \
  /exchange/kind=d_psgd /exchange/order=both
wrong "expected own where gradients are applied before the mixture, got mixed" \
  /exchange/kind=d_psgd /exchange/order=adapt_then_combine /exchange/point=mixed
wrong "expected neighbors or global, got \"neighbours\"; did you mean neighbors?" \
  /exchange/kind=d_psgd /exchange/barrier=neighbours
wrong "expected an object with a kind, or one of metropolis_hastings, lazy_metropolis, max_degree, best_constant, lazy, uniform_neighbor, equal_shares, one_peer, base_graph, equi, got 1" \
  /exchange/kind=d_psgd /exchange/weights=1
wrong "expected a number above 0 and at most 1, got 0" \
  /exchange/kind=d_psgd /exchange/weights/kind=equi /exchange/weights/damping=0
expect 2 "--set: /exchange/weights: expected doubly stochastic weights, such as metropolis_hastings, got weights whose columns do not sum to 1 on this graph" \
  --set /exchange/kind=d_psgd --set /exchange/weights=uniform_neighbor --set /topology=star
wrong "expected a whole number from 1 to 1000000, got 0" /batch=0
wrong "expected one of constant, lognormal, shifted_exponential, gamma, pareto, trace, two_state, got \"log_normal\"; did you mean lognormal?" \
  /clock/compute=log_normal
units="a number and ns, us, ms, s, min or h"
wrong "expected a duration such as 10ms ($units), got \"10\"" /clock/compute/mean='"10"'
wrong "expected a duration such as 10ms, at least 1ns, got 10" /clock/compute/mean=10
wrong "expected a duration such as 10ms, at least 1ns, got \"0ms\"" /clock/compute/mean=0ms
wrong "expected a number from 0 to 1000, got -1" /clock/compute/cv=-1
for kind in constant shifted_exponential gamma pareto; do
  wrong "expected a duration such as 10ms, at least 1ns, got \"0ms\"" \
    /clock/compute/kind=$kind /clock/compute/mean=0ms
done
wrong "expected 0 ns to the mean, 10000000 ns, got 11000000 ns" \
  /clock/compute/kind=shifted_exponential /clock/compute/shift=11ms
wrong "expected a number from 0.001 to 1000000000, got 0" \
  /clock/compute/kind=gamma /clock/compute/shape=0
wrong "expected a number above 1 and at most 1000000000, got 1" \
  /clock/compute/kind=pareto /clock/compute/shape=1
wrong "expected a number above 0 and at most 1000000000, got 0" \
  /clock/compute/kind=two_state /clock/compute/factor=0
for field in slow_down recover; do
  wrong "expected a number from 0 to 1, got 1.5" \
    /clock/compute/kind=two_state /clock/compute/$field=1.5
done
wrong "expected a sum of both probabilities from 0.000001 to 1, got 1.1" \
  /clock/compute/kind=two_state /clock/compute/slow_down=1
wrong "expected one of constant, lognormal, shifted_exponential, gamma, pareto, trace, got \"two_state\"" \
  /clock/compute/kind=two_state /clock/compute/normal=two_state
expect 2 "--set: /clock/compute/path: expected text (CSV file with columns node, step, duration_ms, gzipped or not), got nothing" \
  --set /clock/compute=trace
wrong "expected text, got 7" /clock/compute/kind=trace /clock/compute/path=7
wrong "expected true or false, got 1" \
  /clock/compute/kind=trace /clock/compute/path=x /clock/compute/repeats=1
expect 2 "/nowhere/times.csv: expected a readable file, got 'No such file or directory'" \
  --set /clock/compute/kind=trace --set /clock/compute/path=/nowhere/times.csv
printf 'node,step,duration_ms\n0,0,10\n0,2,10\n' >"$work/times.csv"
expect 2 "$work/times.csv:3: expected step 1 of node 0, got 2" \
  --set /clock/compute/kind=trace --set "/clock/compute/path=$work/times.csv"
wrong "expected a duration such as 10ms ($units), got \"1 day\"" '/clock/link/latency=1 day'
wrong "expected a bandwidth such as 2.8GB/s, more than 0, got \"0B/s\"" /clock/link/bandwidth=0B/s
wrong "expected a list of objects with node, factor, from and until, got \"0\"" '/clock/slow="0"'
wrong "expected a whole number from 0 to 4294967294, got -1" \
  /clock/slow/0/factor=2 /clock/slow/0/node=-1
wrong "expected a number above 0 and at most 1000000000, got 0" \
  /clock/slow/0/node=1 /clock/slow/0/factor=0
for field in from until; do
  wrong "expected a duration such as 10ms ($units), got \"soon\"" \
    /clock/slow/0/node=1 /clock/slow/0/factor=2 /clock/slow/0/$field=soon
done
wrong "expected a duration such as 10ms, at least 1ns, got \"0s\"" \
  /clock/slow/0/node=1 /clock/slow/0/factor=2 /clock/slow/0/until=0s
expect 2 "--set: /clock: slow node 3: expected a time of at least 0ns and a later time, got 2s and 1s" \
  --set '/clock/slow=[{"node":3,"factor":2,"from":"2s","until":"1s"}]'
expect 2 "--set: /clock: slow node 3: expected one factor of a node at a time, got two at 1s" \
  --set '/clock/slow=[{"node":3,"factor":2,"from":"1s"},{"node":3,"factor":2}]'
expect 2 "--set: /clock: slow node 64: expected a node below 64, got 64" \
  --set '/clock/slow=[{"node":64,"factor":2}]'
wrong "expected a list of objects with node, from and until, got 1" /clock/outages/listed=1
wrong "expected a duration such as 10ms ($units), got \"soon\"" /clock/outages/churn/down=soon
wrong "expected a list of objects with nodes, from and until, got 1" /clock/outages/cuts=1
expect 2 "--set: /clock: cut: expected nodes below 64, got 64" \
  --set '/clock/outages/cuts=[{"nodes":[1,64],"from":"0s","until":"1s"}]'
expect 2 "--set: /clock: cut: expected a time of at least 0ns and a later time, got 2s and 1s" \
  --set '/clock/outages/cuts=[{"nodes":[1],"from":"2s","until":"1s"}]'
wrong "expected a duration such as 10ms, at least 1ns, got \"0s\"" /clock/outages/churn/up=0s
wrong "expected a duration such as 10ms, at least 1ns, got \"0s\"" /clock/outages/nights/day=0s
expect 2 "--set: /clock: nights: down: expected less than the day's 86400s, got 86400s" \
  --set /clock/outages/nights/down=24h
expect 2 "--set: /clock: outage of node 3: expected a time of at least 0ns and a later time, got 2s and 1s" \
  --set '/clock/outages/listed=[{"node":3,"from":"2s","until":"1s"}]'
expect 2 "--set: /clock: outage of node 64: expected a node below 64, got 64" \
  --set '/clock/outages/listed=[{"node":64,"from":"0s","until":"1s"}]'
wrong "expected wait, time_out or go_on, got \"forget\"" /clock/outages/then=forget
wrong "expected a duration such as 10ms ($units), got \"soon\"" /clock/outages/timeout=soon
wrong "expected send_again or go_on, got \"forget\"" /clock/loss/then=forget
for field in share burst_share burst_begins burst_ends; do
  wrong "expected a number from 0 to 1, got 1.5" /clock/loss/$field=1.5
done
wrong "expected a duration such as 10ms ($units), got \"soon\"" /clock/loss/timeout=soon
expect 2 "--set: /clock: loss: share: expected less than 1 where lost messages are sent again, got 1" \
  --set /clock/loss/share=1
expect 2 "--set: /clock: loss: then: expected send_again, for this exchange waits for every message (its \
properties do not say tolerates_loss), got go_on" \
  --set /clock/loss/share=0.1 --set /clock/loss/then=go_on --set /exchange/kind=all_reduce
wrong "expected always, uniform, markov or cyclic, got \"often\"" \
  /clock/participation/scheme=often
wrong "expected a number above 0 and at most 1, got 0" /clock/participation/share=0
wrong "expected a number of at least 1, got 0.5" /clock/participation/absence=0.5
wrong "$(whole 1 0)" /clock/participation/groups=0
expect 2 "--set: /clock: participation: absence: expected 1 / share to 1000000 rounds, got 10" \
  --set /clock/participation/scheme=markov --set /clock/participation/share=0.01
expect 2 "--set: /clock: participation: scheme: expected always, for an exchange in events, which has no \
rounds, got cyclic" --set /clock/participation/scheme=cyclic --set /exchange/kind=ad_psgd
wrong "expected none, fifo_nic or fair_share, got \"fair\"" /clock/contention=fair
wrong "expected ring, tree, halving_and_doubling or chain, got \"star\"" /clock/collective=star
wrong "expected a whole number of at least 1, got 0" /clock/collective_parts=0
wrong "expected text, got 7" /clock/speeds=7
expect 2 "no_such_file.csv: expected a readable file, got 'No such file or directory'" \
  --set /clock/speeds=no_such_file.csv
wrong "expected text, got 7" /clock/links/matrix=7
expect 2 "--set: /clock: links: matrix: expected regions, got none" --set /clock/links/matrix=x.csv
expect 2 "no_such_file.csv: expected a readable file, got 'No such file or directory'" \
  --set /clock/links/matrix=no_such_file.csv --set '/clock/links/regions=[{"nodes":64}]'
wrong "expected text, got 7" /clock/outages/trace=7
expect 2 "no_such_file.csv: expected a readable file, got 'No such file or directory'" \
  --set /clock/outages/trace=no_such_file.csv
wrong "expected a list of objects with node, latency and bandwidth, got 1" /clock/links/nodes=1
wrong "expected a whole number of at least 1, got 0" /clock/links/regions/0/nodes=0
wrong "expected true or false, got 1" \
  /clock/links/between/0/from=0 /clock/links/between/0/to=1 /clock/links/between/0/one_way=1
wrong "expected a whole number from 0 to 4294967294, got -1" \
  /clock/links/edges/0/from=1 /clock/links/edges/0/to=-1
expect 2 "--set: /clock: regions: expected 64 nodes together, got 60" \
  --set '/clock/links/regions=[{"nodes":60}]'
expect 2 "--set: /clock: link from node 1 to 99: expected a node below 64, got 99" \
  --set '/clock/links/edges=[{"from":1,"to":99}]'
wrong "expected a list of objects with share, nodes, factor and compute, got 3" /clock/kinds=3
wrong "expected a number from 0 to 1, got 2" /clock/kinds/0/factor=2 /clock/kinds/0/share=2
wrong "expected a list, each element a whole number from 0 to 4294967294, got 3" \
  /clock/kinds/0/factor=2 /clock/kinds/0/nodes=3
wrong "expected a whole number from 0 to 4294967294, got -1" \
  '/clock/kinds/0/nodes=[1]' /clock/kinds/0/nodes/0=-1
wrong "expected a number above 0 and at most 1000000000, got 0" \
  /clock/kinds/0/share=0.5 /clock/kinds/0/factor=0
wrong "expected one of constant, lognormal, shifted_exponential, gamma, pareto, trace, two_state, got \"constnt\"; did you mean constant?" \
  /clock/kinds/0/share=0.5 /clock/kinds/0/compute=constnt
expect 2 "--set: /clock: kind 0: expected either a share or a list of nodes, got neither" \
  --set '/clock/kinds=[{"factor":2}]'
expect 2 "--set: /clock: kind 1: expected nodes below 64, got 64" \
  --set '/clock/kinds=[{"share":0.5},{"nodes":[64],"factor":2}]'
expect 2 "--set: /clock: kinds: expected shares of at most the 63 nodes of 64 that no kind lists, got 64" \
  --set '/clock/kinds=[{"nodes":[7]},{"share":1}]'
wrong "expected an object with epochs or rounds, got 5" /stop=5
wrong 'expected an object with epochs or rounds, got {"epochs":1,"rounds":2}' \
  '/stop={"epochs":1,"rounds":2}'
wrong "expected a number above 0 and at most 1000000000000, got 0" /stop/epochs=0
wrong "expected a whole number from 1 to 1000000000000, got 0" /stop/rounds=0
wrong "expected an object with epochs or rounds, got []" /evaluate/every=[]
wrong "expected a number above 0 and at most 1000000000000, got -1" /evaluate/every/epochs=-1
wrong "expected a whole number from 1 to 1000000000000, got 1.5" /evaluate/every/rounds=1.5
for field in nodes samples held_out at_end/nodes at_end/samples; do
  wrong "$(whole 0 -1)" /evaluate/$field=-1
done
wrong "expected true or false, got 1" /evaluate/each_node=1
wrong "expected a whole number from 0 to 1024, got 1025" /threads=1025
wrong "expected an object with epochs, rounds or time, got 5" /checkpoint=5
wrong "expected a duration such as 10ms, at least 1ns, got \"0s\"" /checkpoint/time=0s
wrong "expected levelled or reference, got \"fast\"" /engine=fast
wrong "expected text, got 7" /name=7
expect 2 "--set: /evaluate/held_out: expected fewer than the 8000 samples of the training set, got 8000" \
  --set /evaluate/held_out=8000
# A field that is elsewhere: where; of a policy, which kinds have it.
top="this object has name, seed, topology, data, model, start, precision, storage, optimizer, exchange, batch, clock, stop, evaluate, checkpoint, threads and engine"
expect 2 "--set: /nodes: unknown key; $top; did you mean /topology/nodes or /evaluate/nodes?" --set /nodes=16
expect 2 "--set: /optimizer/epochs: unknown key; sgd has kind, rate, momentum, nesterov, weight_decay and schedule; did you mean /stop/epochs or /checkpoint/epochs?" \
  --set /optimizer/epochs=3
expect 2 "--set: /data/split/alpha: unknown key; iid has kind and seed; dirichlet, dirichlet_groups, node_dirichlet and quantity_skew have it" \
  --set /data/split/alpha=0.1
"$simulate" --set '/exchange={"kind":"relay_sgd","weights":1}' 2>&1 | grep -qE '; ([a-z_0-9]+, ){2}[a-z_0-9]+ and [0-9]+ others have it$' ||
  fault "many kinds of a field are not counted"
expect 2 "--set: /topolgy: unknown key; $top; did you mean topology?" \
  --set /topolgy/nodes=3

# Each field that --list knows was wrong once.
"$simulate" --list | tail -n +5 |
  awk '/a (whole )?number (of|from|above) |a list, each element |a non-empty list|; text|true or false|a duration such|a bandwidth such| or [a-z_]+; default/ {print $1}' | sort -u |
  while read -r name; do
    grep -q "/$name\$" "$work/tried" || echo "$name"
  done >"$work/untried"
[ ! -s "$work/untried" ] || fault "never tried: $(tr '\n' ' ' <"$work/untried")"
finish
