// Definitions of topology/random_regular.hpp.
#pragma once

#include <gossip/topology/random_regular.hpp>

#include <algorithm>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/graph/components.hpp>
#include <gossip/topology/detail/require.hpp>

namespace gossip {

namespace detail {

/// Simple edges under construction, with the neighbours found so far of every node.
class swap_repair {
 public:
  swap_repair(std::size_t nodes, std::size_t degree)
      : degree_(degree), filled_(nodes, 0), adjacent_(nodes * degree) {
    edges_.reserve(nodes * degree / 2);
  }

  /// Adds a-b, unless it is a self-loop or there already.
  bool add(node a, node b) {
    if (a == b || joined(a, b)) return false;
    edges_.push_back({a, b});
    adjacent_[a * degree_ + filled_[a]++] = b;
    adjacent_[b * degree_ + filled_[b]++] = a;
    return true;
  }

  /// Places the pair a-b that could not be added: with a random edge c-d, as a-c and b-d.
  bool place(node a, node b, keyed_random &random) {
    for (int attempt = 0; attempt < 1000 && !edges_.empty(); ++attempt) {
      edge &chosen = edges_[random.below(static_cast<std::uint32_t>(edges_.size()))];
      bool const turned = random.bits() & 1;
      node const c = turned ? chosen.to : chosen.from;
      node const d = turned ? chosen.from : chosen.to;
      if (a == c || b == d || joined(a, c) || joined(b, d)) continue;
      chosen = {a, c};
      edges_.push_back({b, d});
      replace(c, d, a);
      replace(d, c, b);
      adjacent_[a * degree_ + filled_[a]++] = c;
      adjacent_[b * degree_ + filled_[b]++] = d;
      return true;
    }
    return false;
  }

  std::vector<edge> const &edges() const { return edges_; }

 private:
  std::span<node> row(node i) { return {adjacent_.data() + i * degree_, filled_[i]}; }

  bool joined(node a, node b) {
    auto const of_a = row(a);
    return std::find(of_a.begin(), of_a.end(), b) != of_a.end();
  }

  void replace(node i, node old_neighbor, node neighbor) {
    auto const of_i = row(i);
    *std::find(of_i.begin(), of_i.end(), old_neighbor) = neighbor;
  }

  std::size_t degree_;
  std::vector<std::size_t> filled_;  // (n)
  std::vector<node> adjacent_;       // (n,degree)
  std::vector<edge> edges_;
};

}  // namespace detail

GOSSIP_INLINE graph random_regular::build(std::uint64_t seed) const {
  check();
  if (nodes == 1) return graph::undirected(1, {});
  if (degree == 2) return random_cycle(seed);
  // Degree 3 and more: connected with probability 1 - O(nodes^(2 - degree)), so soon.
  for (std::uint64_t attempt = 0; attempt < 100; ++attempt)
    if (auto found = draw(seed, attempt); found && is_connected(*found)) return *found;
  throw error("random_regular: found no connected graph of " + std::to_string(nodes) +
              " nodes and degree " + std::to_string(degree) + " in 100 tries");
}

GOSSIP_INLINE void random_regular::check() const {
  detail::require_at_least("random_regular", "nodes", 1, nodes);
  if (degree >= nodes)
    throw input_error("random_regular: degree must be below nodes (" + std::to_string(nodes) +
                      "), got " + std::to_string(degree));
  if (nodes % 2 == 1 && degree % 2 == 1)
    throw input_error("random_regular: " + std::to_string(nodes) + " nodes of degree " +
                      std::to_string(degree) + " do not exist (the product must be even)");
  if (degree < std::min<std::size_t>(nodes - 1, 2))
    throw input_error("random_regular: " + std::to_string(nodes) + " nodes of degree " +
                      std::to_string(degree) + " are never connected");
  detail::require_edges_fit("random_regular", size().edges);
}

GOSSIP_INLINE graph random_regular::random_cycle(std::uint64_t seed) const {
  keyed_random random(seed, purpose::topology, 0, 0);
  std::vector<node> order(nodes);
  for (std::size_t i = 0; i < nodes; ++i) order[i] = static_cast<node>(i);
  detail::shuffle(order, random);
  std::vector<edge> edges;
  edges.reserve(nodes);
  for (std::size_t i = 0; i < nodes; ++i) edges.push_back({order[i], order[(i + 1) % nodes]});
  return graph::undirected(nodes, edges);
}

GOSSIP_INLINE std::optional<graph> random_regular::draw(std::uint64_t seed,
                                                        std::uint64_t attempt) const {
  keyed_random random(seed, purpose::topology, 0, attempt);
  bool const dense = degree > (nodes - 1) / 2;
  auto const pairing = pair_up(dense ? nodes - 1 - degree : degree, random);
  if (!pairing || !dense) return pairing;
  std::vector<edge> missing;
  missing.reserve(nodes * degree / 2);
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t j = i + 1; j < nodes; ++j)
      if (!pairing->has_edge(i, j)) missing.push_back({static_cast<node>(i), static_cast<node>(j)});
  return graph::undirected(nodes, missing);
}

GOSSIP_INLINE std::optional<graph> random_regular::pair_up(std::size_t each,
                                                           keyed_random &random) const {
  std::vector<node> ends(nodes * each);
  for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = static_cast<node>(k / each);
  detail::shuffle(ends, random);
  detail::swap_repair repair(nodes, each);
  std::vector<edge> refused;
  for (std::size_t k = 0; k < ends.size(); k += 2)
    if (!repair.add(ends[k], ends[k + 1])) refused.push_back({ends[k], ends[k + 1]});
  for (edge const e : refused)
    if (!repair.place(e.from, e.to, random)) return std::nullopt;
  return graph::undirected(nodes, repair.edges());
}

}  // namespace gossip
