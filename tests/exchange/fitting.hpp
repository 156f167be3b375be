// Exchanges whose peers, or nodes of a round, are no more than a network of any size has; for tests
// on networks of many sizes.
#pragma once

#include <gossip/exchange/div_share.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/mosaic.hpp>
#include <gossip/exchange/teleportation.hpp>
#include <gossip/graph/graph.hpp>

#include <algorithm>
#include <cstddef>

namespace gossip::test {

/// X with at most as many peers as there are other nodes, or as one.
template <class X>
X with_fitting_peers(X x, std::size_t nodes) {
  x.peers = std::min(x.peers, std::max<std::size_t>(nodes, 2) - 1);
  return x;
}

/// epidemic_learning or mosaic.
template <class X>
struct fitting_rounds : X {
  void on_round(auto &plan, round_number k) const {
    with_fitting_peers<X>(*this, plan.nodes()).on_round(plan, k);
  }
  void check(graph const &g) const { with_fitting_peers<X>(*this, g.nodes()).check(g); }
};
template <class X>
fitting_rounds(X) -> fitting_rounds<X>;

struct fitting_div_share : div_share {
  void on_trained(auto &plan, node i) const {
    with_fitting_peers<div_share>(*this, plan.nodes()).on_trained(plan, i);
  }
  void check(graph const &g) const { with_fitting_peers<div_share>(*this, g.nodes()).check(g); }
};

struct fitting_teleportation : teleportation {
  teleportation on(std::size_t nodes) const { return {std::min(active, nodes), among}; }

  void on_round(auto &plan, round_number k) const { on(plan.nodes()).on_round(plan, k); }
  auto prepare(graph const &g) const { return on(g.nodes()).prepare(g); }
  void check(graph const &g) const { on(g.nodes()).check(g); }
};

}  // namespace gossip::test
