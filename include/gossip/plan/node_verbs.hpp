// The verbs of a plan for single nodes and servers, and their random numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/plan/refusals.hpp>

namespace gossip {

/// A part of plan_verbs.
template <class Verbs>
class node_verbs {
 public:
  /// A server, from 0 on: rows as a node's, which begin as those of all nodes.
  node server(std::size_t k) const {
    if (k >= self().servers())
      throw error("exchange: names server " + std::to_string(k) + " of " +
                  std::to_string(self().servers()) +
                  "; expected static constexpr std::size_t servers with their number");
    return static_cast<node>(self().nodes() + k);
  }
  bool is_server(node i) const {
    self().require_owner("is_server", i);
    return i >= self().nodes();
  }

  /// Whether node i has a neighbor in this round's network; a server has none.
  bool has_neighbor(node i) const {
    self().require_owner("has_neighbor", i);
    return i < self().nodes() && self().topology().degree(i) > 0;
  }

  /// A neighbor of node i in this round's network, uniformly at random; i must have one. In events
  /// a neighbor that i reaches now, or any of its neighbors where i reaches none.
  [[gnu::always_inline]] node random_neighbor(node i) {
    self().require_node("random_neighbor", i);
    std::span<node const> among = self().topology().neighbors(i);
    if constexpr (!Verbs::in_rounds)
      if (!self().times_->always_up()) among = reached_among(i, among);
    return detail::draw_neighbor(among, self().settings_.seed, i, self().nodes_[i].draws++);
  }

  /// True where node i, or client i of a population, takes part in this round.
  bool takes_part(std::size_t i) const {
    if (i >= self().data_shares()) [[unlikely]]
      detail::refuse_unknown("takes_part", i, self().data_shares(), 0);
    return self().participants_.takes_part(i);
  }
  bool all_take_part() const { return self().participants_.are_all(); }

  /// The next random number of node i, keyed by (seed, purpose::exchange, i, number of its draw):
  /// uniform in [0, 1), or true with probability p.
  double random(node i) {
    self().require_owner("random", i);
    return detail::draw_uniform(self().settings_.seed, i, self().nodes_[i].chances++);
  }
  bool chance(node i, double p) {
    self().require_owner("chance", i);
    return detail::draw_chance(self().settings_.seed, i, self().nodes_[i].chances++, p);
  }

 protected:
  /// Every verb and question of a node asks one of these first: of a node or a server, or of a
  /// node.
  void require_owner(char const *verb, std::size_t i) const {
    if (i >= self().nodes_.size()) [[unlikely]]
      detail::refuse_unknown(verb, i, self().nodes(), self().servers());
  }
  void require_node(char const *verb, std::size_t i) const {
    if (i >= self().nodes()) [[unlikely]]
      detail::refuse_unknown(verb, i, self().nodes(), 0);
  }

 private:
  std::span<node const> reached_among(node i, std::span<node const> neighbors) {
    reached_.clear();
    for (node const j : neighbors)
      if (self().times_->reach(i, j, self().now_)) reached_.push_back(j);
    return reached_.empty() ? neighbors : std::span<node const>(reached_);
  }

  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }

  std::vector<node> reached_;
};

}  // namespace gossip
