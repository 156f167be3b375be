// The policies of a run that is put together at run time: what the driver offers, a line each, and
// small values that model the concepts and hold one of them. The engine of a model is compiled once
// for all of them; exchanges and compute times are gossip::any_exchange and
// gossip::any_compute_time, and the planner of an exchange is compiled in assembly.cpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <variant>
#include <vector>

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
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/choice.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/topology/topology.hpp>

namespace simulate {

template <class Tuple>
struct alternatives;
template <class... Policies>
struct alternatives<std::tuple<Policies...>> {
  using type = std::variant<Policies...>;
};

/// One of the policies that a function lists; each with the driver's defaults.
template <auto Offered>
using one_of = typename alternatives<decltype(Offered())>::type;

inline auto offered_weights() {
  return std::tuple{gossip::metropolis_hastings{},  //
                    gossip::lazy_metropolis{},      //
                    gossip::max_degree{},           //
                    gossip::best_constant{},        //
                    gossip::lazy_weights<>{},       //
                    gossip::uniform_neighbor{},     //
                    gossip::equal_shares{},         //
                    gossip::one_peer{},             //
                    gossip::base_graph_weights{},   //
                    gossip::equi_weights{}};
}

inline auto offered_codecs() {
  return std::tuple{gossip::codec::top_k{},               //
                    gossip::codec::cast<gossip::bf16>{},  //
                    gossip::codec::cast<gossip::fp16>{},  //
                    gossip::codec::int8{},                //
                    gossip::codec::sign{},                //
                    gossip::codec::qsgd{},                //
                    gossip::codec::random_k{},            //
                    gossip::codec::chunked_top_k{},       //
                    gossip::codec::cosine_top_k{}};
}

inline auto offered_rules() {
  return std::tuple{gossip::aggregation::coordinate_median{},  //
                    gossip::aggregation::trimmed_mean{},       //
                    gossip::aggregation::krum{},               //
                    gossip::aggregation::geometric_median{},   //
                    gossip::aggregation::centered_clipping{},  //
                    gossip::aggregation::self_centered_clipping{},
                    gossip::aggregation::weighted_mean{}};
}

inline auto offered_attacks() {
  return std::tuple{gossip::attack::none{},              //
                    gossip::attack::bit_flip{},          //
                    gossip::attack::inner_product{},     //
                    gossip::attack::little_is_enough{},  //
                    gossip::attack::gaussian_noise{},    //
                    gossip::attack::mimic{},
                    gossip::attack::dissensus{}};
}

inline auto offered_splits() {
  return std::tuple{gossip::iid{},               //
                    gossip::dirichlet{},         //
                    gossip::dirichlet_groups{},  //
                    gossip::node_dirichlet{},    //
                    gossip::shards{},            //
                    gossip::limited_labels{},    //
                    gossip::sorted_labels{},     //
                    gossip::quantity_skew{},     //
                    gossip::by_user{}};
}

struct no_augmentation {
  static constexpr char const *name = "none";
  static constexpr char const *meaning = "no augmentation";
  static constexpr gossip::member_list<> members() { return {}; }
};
inline auto offered_augmentations() {
  return std::tuple{no_augmentation{}, gossip::crop_and_flip{}};
}

inline auto offered_precisions() {
  return std::tuple{gossip::full_precision{},                 //
                    gossip::mixed_precision<gossip::fp16>{},  //
                    gossip::mixed_precision<gossip::bf16>{}};
}

/// The format of rows in memory.
template <class Row>
struct stored_as {
  using row = Row;
  static constexpr char const *name = Row::name;
  static constexpr char const *meaning =
      "16 bits, rounded at random: half the memory, half the bytes of messages";
  static constexpr gossip::member_list<> members() { return {}; }
};
template <>
struct stored_as<float> {
  using row = float;
  static constexpr char const *name = "float";
  static constexpr char const *meaning = "32 bits, as the arithmetic";
  static constexpr gossip::member_list<> members() { return {}; }
};
inline auto offered_storage() {
  return std::tuple{stored_as<float>{}, stored_as<gossip::bf16>{}, stored_as<gossip::fp16>{}};
}

inline auto plain_compute_times() {
  return std::tuple{gossip::constant_time{},             //
                    gossip::lognormal_time{},            //
                    gossip::shifted_exponential_time{},  //
                    gossip::gamma_time{},                //
                    gossip::pareto_time{},               //
                    gossip::trace_time{}};
}

inline auto plain_schedules() {
  return std::tuple{gossip::constant_rate{},  //
                    gossip::step_decay{},     //
                    gossip::cosine_decay{.epochs = 0}};
}

/// A graph that has been built.
struct built_topology {
  std::shared_ptr<gossip::graph const> network;

  gossip::graph build(std::uint64_t) const { return *network; }
};
static_assert(gossip::topology<built_topology>);

struct chosen_weights {
  one_of<offered_weights> kind;

  static auto offered() { return offered_weights(); }
  gossip::by_round<gossip::mixing_matrix> weights(gossip::graph const &g) const {
    return std::visit([&](auto const &r) { return gossip::weights_by_round(r, g); }, kind);
  }
};
static_assert(gossip::weight_rule<chosen_weights>);

struct chosen_codec {
  one_of<offered_codecs> kind;

  static auto offered() { return offered_codecs(); }
  auto with(auto f) const { return std::visit(f, kind); }
  void check() const {
    std::visit([](auto const &c) { c.check(); }, kind);
  }
};
static_assert(gossip::row_codec<chosen_codec>);

struct chosen_rule {
  one_of<offered_rules> kind;

  static constexpr std::size_t rows = 3;  // the most of all
  static auto offered() { return offered_rules(); }
  bool reads_each() const {
    return std::visit([](auto const &r) { return gossip::aggregation::reads_each(r); }, kind);
  }
  void aggregate(auto &plan, gossip::mixing_matrix const &w,
                 gossip::received_models const &from) const {
    std::visit([&](auto const &r) { gossip::aggregation::aggregate_by(r, plan, w, from); }, kind);
  }
  void check(gossip::graph const &g) const {
    std::visit([&](auto const &r) { r.check(g); }, kind);
  }
  void check_neighborhood(gossip::node i, std::size_t models) const {
    auto const check_one = [=](auto const &r) {
      if constexpr (requires { r.check_neighborhood(i, models); }) r.check_neighborhood(i, models);
    };
    std::visit(check_one, kind);
  }
};
static_assert(gossip::aggregation_rule<chosen_rule>);

struct chosen_attack {
  one_of<offered_attacks> kind;

  static constexpr std::size_t rows = 2;  // the most of all
  static auto offered() { return offered_attacks(); }
  void disturb(auto &plan, std::vector<gossip::node> const &attackers,
               std::vector<gossip::node> const &honest) const {
    std::visit([&](auto const &a) { a.disturb(plan, attackers, honest); }, kind);
  }
  bool forges() const {
    return std::visit([]<class A>(A const &) { return gossip::forging_attack<A>; }, kind);
  }
  void forge(auto &plan, std::vector<gossip::node> const &attackers,
             std::vector<gossip::node> const &honest, gossip::mixing_matrix const &w,
             gossip::row_name to) const {
    auto const forge_by = [&]<class A>(A const &a) {
      if constexpr (gossip::forging_attack<A>) a.forge(plan, attackers, honest, w, to);
    };
    std::visit(forge_by, kind);
  }
  void check() const {
    std::visit([](auto const &a) { a.check(); }, kind);
  }
  void check(std::size_t attackers, std::size_t honest) const {
    std::visit([=](auto const &a) { gossip::attack::check_attack(a, attackers, honest); }, kind);
  }
  std::vector<std::string> remarks(std::size_t attackers, std::size_t honest) const {
    return std::visit(
        [=](auto const &a) { return gossip::attack::remarks_on_attack(a, attackers, honest); },
        kind);
  }
};
static_assert(gossip::attack_model<chosen_attack>);

struct chosen_split {
  one_of<offered_splits> kind;
  std::shared_ptr<gossip::partition const> made;  ///< used in its place, if it is there

  gossip::partition assign(gossip::dataset const &set, std::size_t nodes,
                           std::uint64_t seed) const {
    if (made) return *made;
    return std::visit([&](auto const &p) { return gossip::assigned(p, set, nodes, seed); }, kind);
  }
};
static_assert(gossip::split_policy<chosen_split>);

struct plain_compute_time {
  one_of<plain_compute_times> kind = gossip::lognormal_time{};

  static auto offered() { return plain_compute_times(); }
  gossip::virtual_time duration(std::uint64_t seed, gossip::node i, std::uint64_t step) const {
    return std::visit([&](auto const &t) { return t.duration(seed, i, step); }, kind);
  }
  gossip::any_compute_time prepare() const {
    return std::visit([](auto const &t) { return gossip::any_compute_time(t).prepare(); }, kind);
  }
};
static_assert(gossip::compute_model<plain_compute_time>);

/// Plain ones, and those that are made of them.
inline auto offered_compute_times() {
  return std::tuple_cat(plain_compute_times(),
                        std::tuple{gossip::two_state_time<plain_compute_time>{}});
}

struct chosen_compute_time {
  one_of<offered_compute_times> kind = gossip::lognormal_time{};

  static auto offered() { return offered_compute_times(); }
  gossip::virtual_time duration(std::uint64_t seed, gossip::node i, std::uint64_t step) const {
    return std::visit([&](auto const &t) { return t.duration(seed, i, step); }, kind);
  }
};
static_assert(gossip::compute_model<chosen_compute_time>);

/// Checks a schedule, but not a cosine of length 0: it is as long as the run, once that is known.
struct schedule_check {
  template <class Schedule>
  void operator()(Schedule const &s) const {
    if constexpr (std::same_as<Schedule, gossip::cosine_decay>)
      if (s.epochs == 0) return;
    gossip::check_schedule(s);
  }
};

struct plain_schedule {
  one_of<plain_schedules> kind;

  static auto offered() { return plain_schedules(); }
  double factor(double epoch) const {
    return std::visit([&](auto const &s) { return s.factor(epoch); }, kind);
  }
  void check() const { std::visit(schedule_check{}, kind); }
};
static_assert(gossip::schedule<plain_schedule>);

using warm_up = gossip::warm_up<plain_schedule>;

/// A plain one behind a warm-up; one of length 0 takes a tenth of the run.
inline auto offered_schedules() {
  return std::tuple_cat(
      plain_schedules(),
      std::tuple{warm_up{.epochs = 0, .then = {gossip::cosine_decay{.epochs = 0}}}});
}

struct chosen_schedule {
  one_of<offered_schedules> kind;

  static auto offered() { return offered_schedules(); }
  double factor(double epoch) const {
    return std::visit([&](auto const &s) { return s.factor(epoch); }, kind);
  }
  void check() const { std::visit(schedule_check{}, kind); }
  /// Gives a schedule of 0 epochs its length; true where it is one.
  bool scale(double epochs) {
    auto *const warm = std::get_if<warm_up>(&kind);
    auto *const cosine = warm ? std::get_if<gossip::cosine_decay>(&warm->then.kind)
                              : std::get_if<gossip::cosine_decay>(&kind);
    bool const open_cosine = cosine && cosine->epochs == 0, open_warm = warm && warm->epochs == 0;
    if (open_cosine) cosine->epochs = epochs;
    if (open_warm) warm->epochs = epochs / 10;
    return open_cosine || open_warm;
  }
};
static_assert(gossip::schedule<chosen_schedule>);

inline auto offered_optimizers() {
  return std::tuple{gossip::sgd{.rate = 0.03, .momentum = 0.9, .weight_decay = 1e-3},  //
                    gossip::adam{},                                                    //
                    gossip::adamw{}};
}

template <class Tuple>
struct any_optimizer_of;
template <class... Optimizers>
struct any_optimizer_of<std::tuple<Optimizers...>> {
  using type = gossip::any_optimizer<Optimizers...>;
};

struct chosen_optimizer {
  any_optimizer_of<decltype(offered_optimizers())>::type base;
  chosen_schedule schedule{};
  double rate = std::visit([](auto const &o) { return o.rate; }, base.kind);

  double factor(double epoch) const { return schedule.factor(epoch); }
  std::size_t rows(bool waits) const { return base.rows(waits); }
  void check() const {
    base.check();
    schedule.check();
  }
  template <class T, class F>
  auto kernel(bool waits, F f) const {
    return base.template kernel<T>(waits, f);
  }
};
static_assert(gossip::optimizer<chosen_optimizer>);

}  // namespace simulate
