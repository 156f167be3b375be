// Teleportation. Y. Takezawa, S. U. Stich, "Scalable decentralized learning with teleportation",
// ICLR 2025, Algorithm 1.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

namespace gossip {

/// The graph among the active nodes: a ring, one peer a round of the exponential graph, or
/// complete.
enum class active_graph { ring, one_peer, complete };

template <>
struct value_names<active_graph> {
  static constexpr std::array<char const *, 3> names{"ring", "one_peer", "complete"};
};

/// In every round `active` nodes, drawn anew and in random order, take the models of those that
/// were active before, the m-th that of the m-th; they step, then mix by a graph of as many nodes.
/// So few models spread over all data, and agree as in a small network. Others keep the model with
/// which they were active last, or the first; optimizers stay where they are. The run's graph does
/// not matter.
struct teleportation {
  std::size_t active = 8;  ///< nodes of a round
  active_graph among = active_graph::one_peer;

  struct message_state {
    bool mixes = false;     ///< else it is the model of who was active before
    std::size_t place = 0;  ///< of the sender among the active nodes
  };
  struct node_state {
    std::size_t place = 0;       ///< among the active nodes
    std::vector<node> before{};  ///< of node 0: the nodes that were active last, and the round
    round_number round = 0;
  };

  void on_round(auto &plan, round_number k) const {
    std::vector<node> now = random_nodes(plan.nodes(), active, [&] { return plan.random(0); });
    std::vector<node> &before = plan.state(0).before;
    for (std::size_t m = 0; m < before.size(); ++m)
      if (before[m] != now[m]) plan.send(before[m], now[m], {{1, model_row}});
    plan.deliver();
    for (node const i : now) {
      plan.train(i);
      plan.step(i);
    }
    mixing_matrix const &w = weights_of(plan, k);
    std::vector<std::vector<node>> receivers(active);
    for (std::size_t m = 0; m < active; ++m) {
      plan.state(now[m]).place = m;
      for (node const other : w.row(m).columns)
        if (other != m) receivers[other].push_back(now[m]);
    }
    for (std::size_t m = 0; m < active; ++m)
      plan.send_to(now[m], receivers[m], {{1, model_row}}, {}, {true, m});
    for (std::size_t m = 0; m < active; ++m)
      plan.assign(now[m], model_row, {{w.at(m, m), model_row}});
    before = std::move(now);
    plan.state(0).round = k;
    plan.deliver();
  }

  void on_message(auto &plan, node i, auto const &m) const {
    if (!m.state.mixes) return plan.assign(i, model_row, {}, {{1, m}});
    mixing_matrix const &w = weights_of(plan, plan.state(0).round);
    plan.add(i, model_row, {{w.at(plan.state(i).place, m.state.place), m}});
  }

  static constexpr exchange_properties properties() {
    return {.gradient_waits = false, .when_network_changes = network_changes::ignored};
  }
  /// The weights of the active nodes, (active, active), which rounds take in turns.
  std::vector<mixing_matrix> prepare(graph const &) const {
    if (among == active_graph::one_peer) return one_peer{}.weights(exponential{active}.build());
    graph const small =
        among == active_graph::ring ? ring{active}.build() : complete{active}.build();
    return {metropolis_hastings{}.weights(small)};
  }
  void check(graph const &g) const {
    if (active > g.nodes())
      throw input_error("teleportation: active",
                        "at most the number of nodes, " + std::to_string(g.nodes()),
                        std::to_string(active));
  }

  static constexpr char const *name = "teleportation";
  static constexpr char const *meaning =
      "Takezawa and Stich 2025: in every round a few nodes are active and take over the previous "
      "models";
  static constexpr auto members() {
    return member_list{described("active", &teleportation::active,
                                 "number of active nodes of a round", {.least = 1}),
                       described("among", &teleportation::among, "graph among the active nodes")};
  }

 private:
  static mixing_matrix const &weights_of(auto &plan, round_number k) {
    std::vector<mixing_matrix> const &turns = plan.prepared();
    return turns[k % turns.size()];
  }
};

static_assert(exchange<teleportation>);

}  // namespace gossip
