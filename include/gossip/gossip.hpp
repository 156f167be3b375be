// Everything that needs no package beside gossip's own: methods, topologies, weights, splits,
// codecs, models, optimizers, observers and readers. nlohmann-json (data/leaf.hpp,
// model/read_safetensors.hpp, observer/json_lines.hpp, observer/checkpoints.hpp,
// simulator/trace.hpp), Boost.Graph (graph/boost.hpp, graph/graphml.hpp), METIS (graph/metis.hpp),
// MPI (transport/mpi/, live/), oneDNN (backend/onednn.hpp) and CUDA (backend/cuda.hpp) have headers
// of their own.
#pragma once

#if defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 16
#error "gossip: needs clang 16 or later"
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 11
#error "gossip: needs g++ 11 or later"
#elif __cplusplus < 202002L
#error "gossip: needs C++20; compile with -std=c++20"
#elif !defined(__GXX_RTTI)
#error "gossip: needs run-time type information; compile without -fno-rtti"
#elif !defined(__cpp_exceptions)
#error "gossip: needs exceptions; compile without -fno-exceptions"
#elif !__has_include(<thrust/version.h>)
#error "gossip: needs the headers of Thrust: libthrust-dev in Debian and Ubuntu"
#elif !__has_include(<tbb/task_arena.h>)
#error "gossip: needs the headers of TBB (oneTBB): libtbb-dev in Debian and Ubuntu, link with -ltbb"
#elif !__has_include(<cblas.h>)
#error "gossip: needs the header of a BLAS, cblas.h: libopenblas-openmp-dev in Debian and Ubuntu"
#else

#include <gossip/aggregation/centered_clipping.hpp>
#include <gossip/aggregation/coordinate_median.hpp>
#include <gossip/aggregation/geometric_median.hpp>
#include <gossip/aggregation/krum.hpp>
#include <gossip/aggregation/self_centered_clipping.hpp>
#include <gossip/aggregation/trimmed_mean.hpp>
#include <gossip/aggregation/weighted_mean.hpp>
#include <gossip/attack/bit_flip.hpp>
#include <gossip/attack/dissensus.hpp>
#include <gossip/attack/gaussian_noise.hpp>
#include <gossip/attack/inner_product.hpp>
#include <gossip/attack/little_is_enough.hpp>
#include <gossip/attack/mimic.hpp>
#include <gossip/attack/none.hpp>
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/gamma_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/pareto_time.hpp>
#include <gossip/clock/shifted_exponential_time.hpp>
#include <gossip/clock/trace_time.hpp>
#include <gossip/clock/two_state_time.hpp>
#include <gossip/codec/cast.hpp>
#include <gossip/codec/chunked_top_k.hpp>
#include <gossip/codec/cosine_top_k.hpp>
#include <gossip/codec/int8.hpp>
#include <gossip/codec/qsgd.hpp>
#include <gossip/codec/random_k.hpp>
#include <gossip/codec/sign.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/data/by_user.hpp>
#include <gossip/data/channel_statistics.hpp>
#include <gossip/data/cifar10.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/csv.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/dirichlet.hpp>
#include <gossip/data/dirichlet_groups.hpp>
#include <gossip/data/flipped_labels.hpp>
#include <gossip/data/heterogeneity.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/limited_labels.hpp>
#include <gossip/data/node_dirichlet.hpp>
#include <gossip/data/numpy.hpp>
#include <gossip/data/quantity_skew.hpp>
#include <gossip/data/regression.hpp>
#include <gossip/data/shards.hpp>
#include <gossip/data/sorted_labels.hpp>
#include <gossip/data/split.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/a2cid2.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/beer.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d2.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/decent_lam.hpp>
#include <gossip/exchange/decoupled_momentum.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/diloco.hpp>
#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/ef_sgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/extra.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/fed_opt.hpp>
#include <gossip/exchange/fed_prox.hpp>
#include <gossip/exchange/gasloc.hpp>
#include <gossip/exchange/global_merge.hpp>
#include <gossip/exchange/gossip_learning.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/exchange/gut.hpp>
#include <gossip/exchange/k_gt.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/matcha.hpp>
#include <gossip/exchange/momentum_mixing.hpp>
#include <gossip/exchange/mosaic.hpp>
#include <gossip/exchange/motef.hpp>
#include <gossip/exchange/muon_d_psgd.hpp>
#include <gossip/exchange/noloco.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/power_gossip.hpp>
#include <gossip/exchange/push_sum.hpp>
#include <gossip/exchange/quasi_global_momentum.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/exchange/running_sums_push_sum.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/exchange/scaffold.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/softsync.hpp>
#include <gossip/exchange/sparse_loco.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/exchange/teleportation.hpp>
#include <gossip/exchange/variance_corrected_gossip.hpp>
#include <gossip/graph/spanning_tree.hpp>
#include <gossip/mixing/active_matchings.hpp>
#include <gossip/mixing/averaging_times.hpp>
#include <gossip/mixing/base_graph_weights.hpp>
#include <gossip/mixing/best_constant.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/equi_weights.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/lazy_weights.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/model/layer/avg_pool.hpp>
#include <gossip/model/layer/dropout.hpp>
#include <gossip/model/layer/group_norm.hpp>
#include <gossip/model/layer/silu.hpp>
#include <gossip/model/losses.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/write_safetensors.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/class_accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/gradient_heterogeneity.hpp>
#include <gossip/observer/gradient_staleness.hpp>
#include <gossip/observer/mean_gradient.hpp>
#include <gossip/observer/model_files.hpp>
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
#include <gossip/simulator/cpu_offload.hpp>
#include <gossip/simulator/gradient_check.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/adjacency_list.hpp>
#include <gossip/topology/adjacency_matrix.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/base_graph.hpp>
#include <gossip/topology/chain.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/dumbbell.hpp>
#include <gossip/topology/edge_schedule.hpp>
#include <gossip/topology/equi_dynamic.hpp>
#include <gossip/topology/equi_static.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/graph_file.hpp>
#include <gossip/topology/graphml_file.hpp>
#include <gossip/topology/grid.hpp>
#include <gossip/topology/group_grid.hpp>
#include <gossip/topology/hypercube.hpp>
#include <gossip/topology/metis_graph.hpp>
#include <gossip/topology/one_peer_exponential.hpp>
#include <gossip/topology/random_out.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/ring_lattice.hpp>
#include <gossip/topology/shrinking_lattice.hpp>
#include <gossip/topology/star.hpp>
#include <gossip/topology/stochastic_blocks.hpp>
#include <gossip/topology/torus.hpp>
#include <gossip/topology/tree.hpp>
#include <gossip/topology/watts_strogatz.hpp>

#endif
