// The policies of a run that is put together at run time: small values that model the concepts and
// hold one of the library's policies. The engine and the run loop of a model are compiled once for
// all of them; exchanges and compute times are gossip::any_exchange and gossip::any_compute_time,
// and the planner of an exchange is compiled in assembly.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gossip/data/dirichlet.hpp>
#include <gossip/data/iid.hpp>
#include <gossip/data/shards.hpp>
#include <gossip/graph/max_degree.hpp>
#include <gossip/graph/metropolis_hastings.hpp>
#include <gossip/graph/topology.hpp>
#include <gossip/graph/uniform_neighbor.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>

namespace simulate {

/// A graph that has been built.
struct built_topology {
  std::shared_ptr<gossip::graph const> network;

  gossip::graph build(std::uint64_t) const { return *network; }
};
static_assert(gossip::topology<built_topology>);

struct chosen_schedule {
  std::variant<gossip::constant_rate, gossip::step_decay, gossip::cosine_decay> main;
  std::optional<gossip::warm_up<>> before = std::nullopt;

  double factor(double epoch) const {
    double const ramp = before ? before->factor(epoch) : 1.0;
    return ramp * std::visit([&](auto const &s) { return s.factor(epoch); }, main);
  }
  /// A cosine of length 0 is as long as the run, once that is known.
  void check() const {
    if (before) gossip::check_schedule(*before);
    auto const *const cosine = std::get_if<gossip::cosine_decay>(&main);
    if (cosine && cosine->epochs == 0) return;
    std::visit([](auto const &s) { gossip::check_schedule(s); }, main);
  }
};
static_assert(gossip::schedule<chosen_schedule>);

struct chosen_optimizer {
  std::variant<gossip::sgd, gossip::adam, gossip::adamw> base;
  chosen_schedule schedule{};
  double rate = std::visit([](auto const &o) { return o.rate; }, base);

  double factor(double epoch) const { return schedule.factor(epoch); }
  std::size_t rows(bool waits) const {
    return std::visit([&](auto const &o) { return o.rows(waits); }, base);
  }
  void check() const {
    std::visit([](auto const &o) { o.check(); }, base);
    schedule.check();
  }
  template <class T, class F>
  auto kernel(bool waits, F f) const {
    return std::visit([&](auto const &o) { return o.template kernel<T>(waits, f); }, base);
  }
};
static_assert(gossip::optimizer<chosen_optimizer>);

struct chosen_weights {
  std::variant<gossip::metropolis_hastings, gossip::max_degree, gossip::uniform_neighbor> rule;

  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return std::visit([&](auto const &r) { return r.weights(g); }, rule);
  }

  static std::vector<std::string> names() {
    return {"metropolis_hastings", "max_degree", "uniform_neighbor"};
  }
  static chosen_weights named(std::string const &name) {
    if (name == "max_degree") return {gossip::max_degree{}};
    if (name == "uniform_neighbor") return {gossip::uniform_neighbor{}};
    return {gossip::metropolis_hastings{}};
  }
};
static_assert(gossip::weight_rule<chosen_weights>);

struct chosen_split {
  std::variant<gossip::iid, gossip::dirichlet, gossip::shards> policy;

  gossip::partition assign(std::span<std::uint16_t const> labels, std::size_t classes,
                           std::size_t nodes, std::uint64_t seed) const {
    return std::visit([&](auto const &p) { return p.assign(labels, classes, nodes, seed); },
                      policy);
  }
};
static_assert(gossip::split_policy<chosen_split>);

}  // namespace simulate
