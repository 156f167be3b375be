// gossip-iterates FOLDER: runs every exchange of the table on two small networks in double, with
// gradients of all data, and writes FOLDER/iterates.json: both networks with their data and
// weights, and of every run the parameters of every node after every round. compare.py repeats it.
#include <gossip/aggregation/centered_clipping.hpp>
#include <gossip/aggregation/geometric_median.hpp>
#include <gossip/aggregation/krum.hpp>
#include <gossip/aggregation/self_centered_clipping.hpp>
#include <gossip/aggregation/weighted_mean.hpp>
#include <gossip/attack/dissensus.hpp>
#include <gossip/attack/little_is_enough.hpp>
#include <gossip/backend/cpu.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/data/split.hpp>
#include <gossip/exchange/a2cid2.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/beer.hpp>
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
#include <gossip/exchange/noloco.hpp>
#include <gossip/exchange/overlapped_push_sum.hpp>
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
#include <gossip/exchange/streaming_diloco.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/exchange/teleportation.hpp>
#include <gossip/mixing/active_matchings.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/matching.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/op/factors.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/dumbbell.hpp>
#include <gossip/topology/erdos_renyi.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace gossip::reference {
namespace {

using nlohmann::json;
using matrix = std::vector<std::vector<double>>;  // (n,d)

constexpr ring network{8};
constexpr std::uint64_t count_of_rounds = 36;

/// A happening of an exchange by event: a training of a node that has ended, a message of another
/// that has arrived, or a message to another that leaves.
enum class happening_kind { trained, arrived, sent };
struct happening {
  std::int64_t time;  // ns
  happening_kind kind;
  node which, other;
  std::size_t first = 0;  // column of a message
};

/// A run: the method as methods.py has it, with its parameters by the paper's names; the exchange
/// and the optimizer that are to do the same.
struct line {
  std::string method;
  json parameters;
  any_exchange exchange;
  sgd optimizer{.rate = 0.05};
  std::shared_ptr<std::vector<happening>> happened{};  ///< of an exchange by event
};

/// The happenings of an exchange by event, of which each draws a neighbor that is asked for.
struct happenings {
  std::shared_ptr<std::vector<happening>> all = std::make_shared<std::vector<happening>>();

  /// Forgets what was planned before, to count messages.
  template <class X>
  void begin(X const &exchange, auto &plan) const {
    all->clear();
    if constexpr (requires { exchange.on_start(plan); })
      exchange.on_start(plan);
    else
      plan.train_all();
  }
  void add(auto &plan, happening_kind kind, node i, node other, std::size_t first = 0) const {
    all->push_back({plan.now().count(), kind, i, other, first});
  }
  /// With the neighbor that node i draws next.
  void add_drawn(auto &plan, happening_kind kind, node i) const {
    std::uint64_t draws = 0;
    for (happening const &one : *all) draws += one.kind == kind && one.which == i;
    add(plan, kind, i,
        detail::draw_neighbor(plan.topology().neighbors(i), run_settings{}.seed, i, draws));
  }
};

/// Pairs of a node that has trained and the neighbor that it averages with.
template <class X>
struct with_pairs : X {
  happenings seen{};

  void on_start(auto &plan) const { seen.begin(static_cast<X const &>(*this), plan); }
  void on_trained(auto &plan, node i) const {
    seen.add_drawn(plan, happening_kind::trained, i);
    X::on_trained(plan, i);
  }
};

/// Trainings, and messages where they arrive.
template <class X>
struct with_messages : X {
  happenings seen{};

  void on_start(auto &plan) const { seen.begin(static_cast<X const &>(*this), plan); }
  void on_trained(auto &plan, node i) const {
    seen.add(plan, happening_kind::trained, i, i);
    X::on_trained(plan, i);
  }
  void on_message(auto &plan, node i, auto const &m) const {
    seen.add(plan, happening_kind::arrived, i, m.from, m.columns.first);
    X::on_message(plan, i, m);
  }
};

/// And messages where they are sent, by timers.
template <class X>
struct with_timers : with_messages<X> {
  void on_timer(auto &plan, node i, std::uint32_t tag) const {
    this->seen.add_drawn(plan, happening_kind::sent, i);
    X::on_timer(plan, i, tag);
  }
};

template <class X>
line by_event(char const *method, json parameters, X const &exchange) {
  return {method, std::move(parameters), exchange, {.rate = 0.05}, exchange.seen.all};
}

/// Node i keeps half and sends (i + 1) / 20 to the next, the rest to the one before: on a ring of
/// eight, columns sum to 1 and rows do not.
struct uneven_shares {
  mixing_matrix weights(graph const &g) const {
    node const n = static_cast<node>(g.nodes());
    std::vector<std::size_t> offsets{0};
    std::vector<node> columns;
    std::vector<double> shares;
    auto const next = [](node i) { return (i + 1) / 20.0; };
    for (node i = 0; i < n; ++i) {
      node const before = (i + n - 1) % n, behind = (i + 1) % n;
      std::map<node, double> const row{
          {i, 0.5}, {before, next(before)}, {behind, 0.5 - next(behind)}};
      for (auto const &[j, share] : row) columns.push_back(j), shares.push_back(share);
      offsets.push_back(columns.size());
    }
    return {std::move(offsets), std::move(columns), std::move(shares), stochastic::columns};
  }
};

line adaptive_server(char const *name, server_step by) {
  return {"fed_opt",
          {{"H", 3}, {"by", name}, {"eta", 0.1}, {"beta1", 0.6}, {"beta2", 0.9}, {"tau", 0.02}},
          fed_opt<>{{.local_steps = 3}, by, 0.1, 0.6, 0.9, 0.02}};
}

/// Right factors of rank 1 that PowerGossip begins with, of a matrix of four columns.
std::vector<double> first_factors() {
  std::vector<double> numbers;
  for (std::size_t column = 0; column < 4; ++column)
    numbers.push_back(op::first_factor<double>(column));
  return numbers;
}

std::vector<line> table() {
  using enum mixing_order;
  using enum momentum_at_average;
  sgd const heavy{.rate = 0.05, .momentum = 0.8};
  return {
      {"d_psgd", {}, d_psgd<>{}},
      {"d_psgd_adapting", {}, d_psgd<>{.order = adapt_then_combine}},
      {"d_psgd_mixed", {}, d_psgd<>{.point = gradient_point::mixed}},
      {"diging", {}, gradient_tracking<>{}},
      {"atc_tracking", {}, gradient_tracking<>{.order = adapt_then_combine}},
      {"momentum_mixing", {{"beta", 0.8}}, momentum_mixing<>{}, heavy},
      {"local_sgd", {{"H", 4}}, local_sgd{.local_steps = 4}},
      {"local_sgd_momentum",
       {{"H", 4}, {"beta", 0.8}, {"buffers", "keep"}},
       local_sgd{4, keep},
       heavy},
      {"local_sgd_momentum",
       {{"H", 4}, {"beta", 0.8}, {"buffers", "average"}},
       local_sgd{4, average},
       heavy},
      {"local_sgd_momentum",
       {{"H", 4}, {"beta", 0.8}, {"buffers", "reset"}},
       local_sgd{4, reset},
       heavy},
      {"d2", {}, d2<metropolis_hastings>{}},
      {"exact_diffusion", {}, d2<>{}},
      {"extra", {}, extra<>{}},
      {"gut",
       {{"mu", 0.3}, {"mixed", false}},
       gut<>{.tracking = 0.3, .point = gradient_point::own}},
      {"gut", {{"mu", 0.8}, {"mixed", true}}, gut<>{.tracking = 0.8}},
      {"quasi_global_momentum",
       {{"beta", 0.8}, {"mu", 0.9}, {"nesterov", false}},
       quasi_global_momentum<>{.momentum = 0.8}},
      {"quasi_global_momentum",
       {{"beta", 0.8}, {"mu", 0.9}, {"nesterov", true}},
       quasi_global_momentum<>{.momentum = 0.8, .nesterov = true},
       {.rate = 0.03}},
      {"slow_mo", {{"tau", 4}, {"alpha", 0.9}, {"beta", 0.5}}, slow_mo<>{{}, 4, 0.5, 0.9}},
      {"slow_mo",
       {{"tau", 4}, {"alpha", 0.9}, {"beta", 0.5}, {"mixed", true}},
       slow_mo<d_psgd<>>{{}, 4, 0.5, 0.9}},
      {"diloco", {{"H", 4}, {"outer_rate", 0.7}, {"mu", 0.9}}, diloco{.local_steps = 4}},
      {"streaming_diloco",
       {{"H", 5}, {"P", 3}, {"tau", 2}, {"alpha", 0.4}, {"outer_rate", 0.7}, {"mu", 0.9}},
       streaming_diloco{{.local_steps = 5}, 3, 2, 0.4}},
      {"noloco",
       {{"H", 3}, {"alpha", 0.5}, {"beta", 0.7}, {"gamma", 0.9}},
       noloco{.local_steps = 3, .pull = 0.9}},
      {"gasloc",
       {{"H", 3}, {"eta", 0.8}, {"alpha", 0.9}, {"gamma", 0.4}},
       gasloc<>{.local_steps = 3, .outer_rate = 0.8, .momentum = 0.4, .share = 0.9}},
      {"gasloc",
       {{"H", 2}, {"eta", 1.0}, {"alpha", 1.0}, {"gamma", 0.3}, {"pairs", true}},
       gasloc<>{.local_steps = 2, .momentum = 0.3, .partners = outer_partners::random_pairs}},
      {"fed_prox", {{"H", 4}, {"mu", 0.0}}, fed_avg{.local_steps = 4}},
      {"fed_prox", {{"H", 4}, {"mu", 2.5}}, fed_prox{{.local_steps = 4}, 2.5}},
      {"fed_opt",
       {{"H", 3}, {"by", "momentum"}, {"eta", 0.9}, {"beta1", 0.6}},
       fed_opt<>{{.local_steps = 3}, server_step::momentum, 0.9, 0.6}},
      adaptive_server("adagrad", server_step::adagrad),
      adaptive_server("yogi", server_step::yogi),
      adaptive_server("adam", server_step::adam),
      {"scaffold",
       {{"K", 3}, {"eta", 0.8}, {"option", 1}},
       scaffold{0, 3, client_control::gradient, 0.8}},
      {"scaffold",
       {{"K", 3}, {"eta", 0.8}, {"option", 2}},
       scaffold{0, 3, client_control::mean_step, 0.8}},
      {"decent_lam", {{"beta", 0.8}}, decent_lam<>{.momentum = 0.8}},
      {"momentum_tracking",
       {{"beta", 0.8}},
       gradient_tracking<>{},
       {.rate = 0.01, .momentum = 0.8}},
      {"epidemic_learning", {}, epidemic_learning{.peers = 7}},
      {"epidemic_learning", {}, epidemic_learning{.peers = 7, .sampling = peer_sampling::oracle}},
      {"epidemic_learning", {}, mosaic{{.peers = 7}, 2}},
      {"matcha", {}, matcha{}},
      {"relay_sgd", {}, relay_sgd{}, {.rate = 0.03}},
      {"sam_d_psgd", {{"rho", 0.3}}, sam_d_psgd<>{.radius = 0.3}},
      {"suda", {{"form", "exact_diffusion"}}, d2<>{}},
      {"suda", {{"form", "extra"}}, extra<>{}},
      {"suda", {{"form", "diging"}}, gradient_tracking<>{}},
      {"suda", {{"form", "next"}}, gradient_tracking<>{.order = adapt_then_combine}},
      by_event("ad_psgd", {}, with_pairs<ad_psgd>{}),
      by_event("a2cid2", {}, with_pairs<a2cid2>{}),
      by_event("softsync", {{"c", 1}, {"stale", false}},
               with_messages<softsync>{{1, false, evaluated_models::nodes}}),
      by_event("softsync", {{"c", 3}, {"stale", true}},
               with_messages<softsync>{{3, true, evaluated_models::nodes}}),
      by_event("swift", {}, with_messages<swift<>>{}),
      by_event("div_share", {{"P", 3}}, with_messages<div_share>{{3, 2}}),
      by_event("gossip_learning", {}, with_timers<gossip_learning>{{{virtual_time(25'000'000)}}}),
      {"teleportation", {{"neighbor", true}}, teleportation{.active = 3}},
      {"teleportation", {{"neighbor", false}}, teleportation{3, active_graph::ring}},
      {"k_gt", {{"K", 4}, {"scale", 0.8}}, k_gt<>{.local_steps = 4, .scale = 0.8}},
      {"global_merge", {{"T", 20}}, global_merge<>{{}, 20}},
      {"push_sum", {}, push_sum<uneven_shares>{}},
      {"push_sum", {}, running_sums_push_sum<uneven_shares>{}},
      {"overlapped_push_sum",
       {{"tau", 2}, {"period", 1}},
       overlapped_push_sum<uneven_shares>{{}, 2},
       {.rate = 0.02}},
      {"overlapped_push_sum",
       {{"tau", 3}, {"period", 3}},
       overlapped_push_sum<uneven_shares>{{}, 3, 3},
       {.rate = 0.02}},
      {"choco_sgd", {{"ratio", 1.0}, {"gamma", 0.7}}, choco_sgd<>{{.share = 1.0}, 0.7}},
      {"motef",
       {{"ratio", 1.0}, {"gamma", 0.7}, {"lam", 1.0}},
       beer<>{{.share = 1.0}, 0.7},
       {.rate = 0.02}},
      {"motef",
       {{"ratio", 0.34}, {"gamma", 0.3}, {"lam", 1.0}},
       beer<>{{.share = 0.34}, 0.3},
       {.rate = 0.01}},
      {"motef",
       {{"ratio", 0.34}, {"gamma", 0.3}, {"lam", 0.25}},
       motef<>{{.share = 0.34}, 0.3, 0.75},
       {.rate = 0.01}},
      {"choco_sgd", {{"ratio", 0.34}, {"gamma", 0.3}}, choco_sgd<>{{.share = 0.34}, 0.3}},
      {"deep_squeeze", {{"ratio", 0.34}, {"eta", 0.4}}, deep_squeeze<>{{.share = 0.34}, 0.4}},
      {"power_gossip", {{"first", first_factors()}, {"s", 1}}, power_gossip<>{}},
      {"power_gossip", {{"first", first_factors()}, {"s", 3}}, power_gossip<>{.steps = 3}},
      {"coordinate_median", {}, robust_gossip<>{}},
      {"krum", {{"f", 0}, {"best", 1}}, robust_gossip<aggregation::krum>{{.byzantine = 0}}},
      {"krum",
       {{"f", 0}, {"best", 2}},
       robust_gossip<aggregation::krum>{{.byzantine = 0, .selected = 2}}},
      {"geometric_median",
       {{"T", 3}, {"nu", 1e-2}, {"start", "median"}},
       robust_gossip<aggregation::geometric_median>{{.iterations = 3, .smoothing = 1e-2}}},
      {"geometric_median",
       {{"T", 3}, {"nu", 1e-2}, {"start", "mean"}},
       robust_gossip<aggregation::geometric_median>{
           {.iterations = 3, .smoothing = 1e-2, .start = aggregation::median_start::mean}}},
      {"centered_clipping",
       {{"L", 2}, {"tau", 0.1}},
       robust_gossip<aggregation::centered_clipping>{{.radius = 0.1, .iterations = 2}}},
      {"attacked_clipped_gossip",
       {{"tau", 0.1}, {"m", 0}, {"epsilon", 1.0}},
       clipped_gossip<>{.radius = 0.1}},
      {"attacked_clipped_gossip",
       {{"tau", 0.1}, {"m", 2}, {"epsilon", 1.5}},
       robust_gossip<aggregation::self_centered_clipping, attack::dissensus>{
           .rule = {.radius = 0.1}, .attack = {.scale = 1.5}, .attackers = 2}},
      {"little_is_enough",
       {{"m", 2}, {"z", 0.7}},
       robust_gossip<aggregation::weighted_mean, attack::little_is_enough>{
           .attack = {.deviations = 0.7}, .attackers = 2}},
      {"ef_sgd", {{"ratio", 0.34}}, ef_sgd<>{{.share = 0.34}}},
      {"sparse_loco",
       {{"H", 4}, {"alpha", 0.8}, {"beta", 0.9}, {"ratio", 0.34}},
       sparse_loco<codec::top_k>{{.share = 0.34}, 4, 0.9, 0.8}},
      {"sparse_loco",
       {{"H", 3}, {"alpha", 0.6}, {"beta", 0.9}, {"ratio", 0.34}, {"senders", true}},
       sparse_loco<codec::top_k>{{.share = 0.34}, 3, 0.9, 0.6, counted_nodes::senders}},
      // No step at this rate ends at the optimum of the quadratics, where rounding makes the signs.
      {"decoupled_momentum",
       {{"beta", 0.9}, {"s", 4}, {"k", 2}},
       decoupled_momentum<>{{.chunk = 4, .kept = 2}, 0.9},
       {.rate = 0.07}},
  };
}

/// Keeps the parameters of all nodes, (n,d), at every observation.
struct keep_rows {
  std::vector<matrix> *seen;

  template <class Context>
  void measure(Context &context, record &) const {
    auto const &rows = context.rows();
    matrix now;
    for (node i = 0; i < rows.size().nodes; ++i)
      now.emplace_back(rows.parameters(i), rows.parameters(i) + rows.size().parameters);
    seen->push_back(std::move(now));
  }
  void take(record const &) const {}
};

/// Node i gets samples i * share, ..., (i + 1) * share - 1.
struct side_by_side {
  partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                   std::uint64_t) const {
    std::vector<node> owner(labels.size());
    for (std::size_t s = 0; s < owner.size(); ++s)
      owner[s] = static_cast<node>(s * nodes / owner.size());
    return group_by<node>(owner, nodes);
  }
};

/// Twelve samples a node, four features, three classes; two of three samples of a node are of one
/// class, so that nodes disagree.
dataset tilted_samples() {
  std::vector<float> features;
  std::vector<std::uint16_t> labels;
  for (std::size_t s = 0; s < 12 * network.nodes; ++s) {
    std::size_t const owner = s / 12, label = s % 3 == 0 ? (s / 3) % 3 : owner % 3;
    labels.push_back(static_cast<std::uint16_t>(label));
    for (std::size_t f = 0; f < 4; ++f) {
      double const angle = static_cast<double>(7 * s + 3 * f + 5 * label);
      features.push_back(static_cast<float>(std::sin(angle) + (f == label ? 1.0 : 0.0)));
    }
  }
  return {"tilted", {.channels = 1, .height = 1, .width = 4}, 3, features, labels};
}

json weights_in_words(mixing_matrix const &w) {
  json rows = json::array();
  for (std::size_t i = 0; i < w.rows(); ++i) {
    rows.push_back(json::array());
    for (std::size_t j = 0; j < w.rows(); ++j) rows.back().push_back(w.at(i, j));
  }
  return rows;
}

/// Every line of the table on one model.
template <class Model, class... Data>
json runs_of(Model const &model, std::size_t batch, Data const &...data) {
  json runs = json::array();
  for (line const &one : table()) {
    simulator run{network,          model, one.optimizer, one.exchange, numbers<double>{},
                  cpu{.threads = 1}};
    std::vector<matrix> seen;
    run.run({.batch = batch, .stop = rounds{count_of_rounds}}, data...,
            every(rounds{1}, keep_rows{&seen}));
    json happened = json::array();
    if (one.happened)
      for (happening const &now : *one.happened)
        happened.push_back({now.time, static_cast<int>(now.kind), now.which, now.other, now.first});
    runs.push_back({{"method", one.method},
                    {"happened", happened},
                    {"rate", one.optimizer.rate},
                    {"parameters", one.parameters.is_null() ? json::object() : one.parameters},
                    {"iterates", seen}});
  }
  return runs;
}

/// Partners of the nodes in matchings of all, in the order in which an exchange draws them. (k,n)
json drawn_matchings() {
  json all = json::array();
  std::uint64_t draws = 0;
  auto const uniform = [&] { return detail::draw_uniform(run_settings{}.seed, 0, draws++); };
  for (std::uint64_t k = 0; k < count_of_rounds; ++k)
    all.push_back(random_matching(network.nodes, uniform));
  return all;
}

/// Three nodes a round, as teleportation draws them. (k,3)
json drawn_nodes() {
  json all = json::array();
  std::uint64_t draws = 0;
  auto const uniform = [&] { return detail::draw_uniform(run_settings{}.seed, 0, draws++); };
  for (std::uint64_t k = 0; k < 3 * count_of_rounds; ++k)
    all.push_back(random_nodes(network.nodes, 3, uniform));
  return all;
}

/// The matchings of matcha, alpha, and which are at work in every round. (m,n), (k,m)
json active_edges(graph const &g) {
  active_matchings const all = matcha{}.prepare(g);
  json rounds = json::array();
  std::uint64_t draws = 0;
  for (std::uint64_t k = 0; k < count_of_rounds; ++k) {
    rounds.push_back(json::array());
    for (double const p : all.probability)
      rounds.back().push_back(detail::draw_chance(run_settings{}.seed, 0, draws++, p));
  }
  return {{"matchings", all.matchings}, {"share", all.share}, {"at_work", rounds}};
}

/// What matcha makes of networks, for matchings.py.
json planned_matchings() {
  json all = json::array();
  auto const add = [&](std::string const &name, graph const &g, double budget) {
    for (bool const keep_positive : {false, true}) {
      active_matchings const found = matchings_for(g, budget, keep_positive);
      all.push_back({{"network", name},
                     {"budget", budget},
                     {"keep_positive", keep_positive},
                     {"matchings", found.matchings},
                     {"probability", found.probability},
                     {"connectivity", found.connectivity},
                     {"share", found.share},
                     {"rho", found.rho}});
    }
  };
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    add("erdos_renyi", erdos_renyi{16, 0.3}.build(seed), 0.3);
    add("barabasi_albert", barabasi_albert{16, 2}.build(seed), 0.1);
    add("barabasi_albert", barabasi_albert{16, 3}.build(seed), 0.5);
  }
  add("dumbbell", dumbbell{.clique = 5, .between = 1}.build(), 0.5);
  add("dumbbell", dumbbell{.clique = 20, .between = 10}.build(), 0.5);
  add("barabasi_albert", barabasi_albert{220, 2}.build(1), 0.1);
  return all;
}

json quadratic_network() {
  std::vector<double> curvature, optimum;
  for (int i = 0; i < 8; ++i) {
    curvature.push_back(1.0 + i / 4.0);
    optimum.push_back((i % 2 == 0 ? 1.0 : -1.0) * (i + 1));
  }
  quadratic<3> const model{.curvature = curvature, .optimum = optimum, .start = 0.5};
  return {{"name", "quadratic"},
          {"curvature", curvature},
          {"optimum", optimum},
          {"runs", runs_of(model, 1)}};
}

json logistic_network() {
  dataset const samples = tilted_samples();
  matrix features;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    auto const row = samples.values()[s];
    features.emplace_back(row.begin(), row.end());
  }
  return {{"name", "logistic"},
          {"features", features},
          {"labels", std::vector<int>(samples.labels().begin(), samples.labels().end())},
          {"classes", samples.classes()},
          {"runs",
           runs_of(sequential<input<1, 1, 4>, dense<3>>{}, 12, split(samples, side_by_side{}))}};
}

void write_all(std::string const &folder) {
  graph const g = network.build();
  json const all{{"metropolis", weights_in_words(metropolis_hastings{}.weights(g))},
                 {"lazy", weights_in_words(lazy_metropolis{}.weights(g))},
                 {"shares", weights_in_words(uneven_shares{}.weights(g))},
                 {"matchings", drawn_matchings()},
                 {"active", drawn_nodes()},
                 {"matcha", active_edges(g)},
                 {"planned_matchings", planned_matchings()},
                 {"problems", {quadratic_network(), logistic_network()}}};
  std::ofstream file(folder + "/iterates.json");
  file << all.dump() << '\n';
  if (!file.flush()) throw input_error("gossip-iterates: cannot write into " + folder);
}

}  // namespace
}  // namespace gossip::reference

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw gossip::input_error("usage: gossip-iterates FOLDER");
    gossip::reference::write_all(argv[1]);
  } catch (std::exception const &e) {
    std::cerr << "gossip-iterates: " << e.what() << '\n';
    return 1;
  }
}
