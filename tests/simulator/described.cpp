// Every policy of the library describes itself and all its members. A new policy is added here;
// tests/architecture/architecture.cpp looks whether any is missing.
#include <gossip/core/described.hpp>

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
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/network_cuts.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/pareto_time.hpp>
#include <gossip/clock/participation.hpp>
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
#include <gossip/core/member_checks.hpp>
#include <gossip/core/members.hpp>
#include <gossip/data/by_user.hpp>
#include <gossip/data/crop_and_flip.hpp>
#include <gossip/data/dirichlet.hpp>
#include <gossip/data/dirichlet_groups.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/limited_labels.hpp>
#include <gossip/data/node_dirichlet.hpp>
#include <gossip/data/quantity_skew.hpp>
#include <gossip/data/shards.hpp>
#include <gossip/data/sorted_labels.hpp>
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
#include <gossip/mixing/base_graph_weights.hpp>
#include <gossip/mixing/best_constant.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/equi_weights.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/lazy_weights.hpp>
#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/topology/adjacency_list.hpp>
#include <gossip/topology/adjacency_matrix.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/base_graph.hpp>
#include <gossip/topology/chain.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/dumbbell.hpp>
#include <gossip/topology/edge_list.hpp>
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
#include <gossip/topology/matrix_market.hpp>
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

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

template <describes_itself... Policies>
struct policies {};

using of_graphs =
    policies<ring, torus, complete, star, hypercube, exponential, random_regular, erdos_renyi,
             edge_list, adjacency_list, adjacency_matrix, metis_graph, matrix_market, graphml_file,
             graph_file, chain, grid, ring_lattice, tree, dumbbell, one_peer_exponential,
             base_graph, equi_static, equi_dynamic, group_grid, shrinking_lattice, watts_strogatz,
             barabasi_albert, stochastic_blocks, random_out, edge_schedule>;
using of_weights =
    policies<metropolis_hastings, lazy_metropolis, max_degree, uniform_neighbor, equal_shares,
             one_peer, best_constant, lazy_weights<>, base_graph_weights, equi_weights>;
using of_codecs =
    policies<codec::top_k, codec::cast<bf16>, codec::cast<fp16>, codec::int8, codec::sign,
             codec::qsgd, codec::random_k, codec::chunked_top_k, codec::cosine_top_k>;
using of_rules =
    policies<aggregation::weighted_mean, aggregation::coordinate_median, aggregation::trimmed_mean,
             aggregation::krum, aggregation::geometric_median, aggregation::centered_clipping,
             aggregation::self_centered_clipping>;
using of_attacks =
    policies<attack::none, attack::bit_flip, attack::inner_product, attack::little_is_enough,
             attack::gaussian_noise, attack::mimic, attack::dissensus>;
using of_data = policies<iid, dirichlet, dirichlet_groups, node_dirichlet, shards, limited_labels,
                         sorted_labels, quantity_skew, by_user, crop_and_flip>;
using of_clocks =
    policies<constant_time, lognormal_time, shifted_exponential_time, gamma_time, pareto_time,
             two_state_time<>, trace_time, gossip::link, slow_node, machine_kind<constant_time>,
             gossip::node_link, gossip::edge_link, gossip::region, gossip::region_link,
             gossip::differing_links, gossip::outage, gossip::churn, gossip::nights,
             gossip::network_cut, gossip::outages, gossip::message_loss, gossip::participation,
             virtual_clock<constant_time>>;
using of_optimizers =
    policies<sgd, adam, adamw, constant_rate, step_decay, cosine_decay, warm_up<>>;
using of_models = policies<quadratic<3>, full_precision, mixed_precision<fp16>>;
using of_observers = policies<accuracy::sample>;
using of_exchanges =
    policies<gossip::none, all_reduce, d_psgd<>, gradient_tracking<>, momentum_mixing<>,
             clipped_gossip<>, sam_d_psgd<>, relay_sgd, fed_avg, deep_squeeze<>, power_gossip<>,
             parameter_server, buffered_gossip, ad_psgd, local_sgd, d2<>, extra<>,
             quasi_global_momentum<>, diloco, decent_lam<>, epidemic_learning, k_gt<>, choco_sgd<>,
             push_sum<>, a2cid2, noloco, gasloc<>, gut<>, scaffold, softsync, synchronous_server,
             beer<>, motef<>, teleportation, gossip_learning, swift<>, ef_sgd<>, sparse_loco<>,
             robust_gossip<>, muon_d_psgd<>, matcha, div_share, decoupled_momentum<>>;
using of_several_types =
    policies<mixed_precision<bf16>, stop_at<d_psgd<>>, slow_mo<>, global_merge<>, fed_prox,
             fed_opt<>, mosaic, streaming_diloco, overlapped_push_sum<>, variance_corrected_gossip,
             overlapped_ad_psgd, running_sums_push_sum<>>;

/// f(a policy that is made without arguments) for each of a list.
template <class... Policies, class F>
void each(policies<Policies...>, F f) {
  (f(Policies{}), ...);
}

template <class F>
void each_policy(F f) {
  each(of_graphs{}, f), each(of_weights{}, f), each(of_data{}, f), each(of_clocks{}, f);
  each(of_optimizers{}, f), each(of_models{}, f), each(of_observers{}, f), each(of_exchanges{}, f),
      each(of_codecs{}, f), each(of_rules{}, f), each(of_attacks{}, f);
}

/// f(description) for each member.
template <class Policy, class F>
void each_member(Policy const &, F f) {
  Policy::members().each(f);
}

template <class... Policies>
std::set<std::string> names_of(policies<Policies...>) {
  return {Policies::name...};
}
template <class... Policies>
constexpr std::size_t count_of(policies<Policies...>) {
  return sizeof...(Policies);
}

}  // namespace

TEST_CASE("policies of a kind have names of their own, and all have meanings", "[simulator]") {
  auto const distinct = [](auto list) { CHECK(names_of(list).size() == count_of(list)); };
  distinct(of_graphs{}), distinct(of_weights{}), distinct(of_data{}), distinct(of_clocks{});
  distinct(of_optimizers{}), distinct(of_models{}), distinct(of_exchanges{}), distinct(of_codecs{}),
      distinct(of_rules{}), distinct(of_attacks{});
  each_policy([](auto const &policy) {
    CAPTURE(policy.name);
    CHECK(std::string(policy.name).size() > 1);
    CHECK(std::string(policy.meaning).size() > 5);
    std::set<std::string> names;
    std::size_t count = 0;
    each_member(policy, [&](auto const &m) {
      names.insert(m.name);
      CHECK(std::string(m.meaning).size() > 1);
      ++count;
    });
    CHECK(names.size() == count);
  });
}

TEST_CASE("policies describe each of their members once", "[simulator]") {
  each_policy([]<class Policy>(Policy const &policy) {
    CAPTURE(policy.name);
    STATIC_REQUIRE(decomposable<Policy>);
    std::vector<void const *> described, members;
    each_member(policy, [&](auto const &m) { described.push_back(&(policy.*m.at)); });
    std::apply([&](auto const &...member) { (members.push_back(&member), ...); },
               members_of(policy));
    std::ranges::sort(described);
    CHECK(described == members);
  });
}

TEST_CASE("members are within their bounds by default", "[simulator]") {
  each_policy([](auto const &policy) {
    each_member(policy, [&](auto const &m) {
      using value_type = std::remove_cvref_t<decltype(policy.*m.at)>;
      CAPTURE(policy.name, m.name);
      auto const fits = [&](double value) {
        CHECK((std::isfinite(value) && gossip::detail::within(m.range, value)));
      };
      if constexpr (std::same_as<value_type, virtual_time>) {
        fits(static_cast<double>((policy.*m.at).count()));
      } else if constexpr (std::same_as<value_type, std::vector<double>>) {
        CHECK((policy.*m.at).size() >= m.range.fewest);
        for (double const value : policy.*m.at) fits(value);
      } else if constexpr (std::same_as<value_type, gossip::node_values>) {
        CHECK((policy.*m.at).size() >= m.range.fewest);
        for (auto const &entry : policy.*m.at)
          for (double const value : entry) fits(value);
      } else if constexpr (std::is_arithmetic_v<value_type>) {
        fits(static_cast<double>(policy.*m.at));
      }
    });
  });
}

TEST_CASE("what a policy does not use it does not describe", "[simulator]") {
  STATIC_REQUIRE(std::same_as<decltype(mixed_precision<bf16>::members()), gossip::member_list<>>);
  std::vector<std::string> names;
  each_member(stop_at<d_psgd<>>{}, [&](auto const &m) { names.push_back(m.name); });
  CHECK(names ==
        std::vector<std::string>{"order", "point", "barrier", "weights", "what", "bound", "every"});
}
