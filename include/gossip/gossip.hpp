// Everything that most simulations need; gossip/policies.hpp has all methods, topologies, splits,
// codecs and readers besides. What Boost.Graph adds (graph/boost.hpp, graph/graphml.hpp) comes in
// through headers of its own.
#pragma once

#if __cplusplus < 202002L
#error "gossip: needs C++20; compile with -std=c++20"
#elif !__has_include(<tbb/task_arena.h>)
#error "gossip: needs the headers of TBB (oneTBB): libtbb-dev in Debian and Ubuntu, link with -ltbb"
#else

#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/codec/cast.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/data/channel_statistics.hpp>
#include <gossip/data/cifar10.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/dirichlet.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/shards.hpp>
#include <gossip/data/split.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/a2cid2.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d2.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/decent_lam.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/diloco.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/extra.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/global_merge.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/exchange/k_gt.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/momentum_mixing.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/quasi_global_momentum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/graph/spanning_tree.hpp>
#include <gossip/mixing/averaging_times.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/silu.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/gradient_staleness.hpp>
#include <gossip/observer/json_lines.hpp>
#include <gossip/observer/norm_dispersion.hpp>
#include <gossip/observer/pairwise_distance.hpp>
#include <gossip/observer/progress.hpp>
#include <gossip/observer/update_ratio.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/choice.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/graph_file.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/torus.hpp>

#endif
