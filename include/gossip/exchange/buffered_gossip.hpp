// Gossip by ticks with a buffer of models, as a simulator of large networks has it: nodes train at
// ticks of their own, send their models, and average once they have heard enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A node trains `least` to `most` ticks after it last did, drawn uniformly, and sends its model to
/// all neighbours. At the end of a tick a node that has received `buffer` models or more since it
/// last averaged takes keep x + (1 - keep) times their mean. Training and transfer should take less
/// than a tick; a node that takes longer is heard in a later one. Nodes below `relays` never train:
/// they send what they have averaged. Of lost messages a node waits for later ones.
struct buffered_gossip {
  virtual_time tick{1'000'000'000};
  std::uint32_t least = 8, most = 12;
  std::size_t buffer = 0;  ///< models; 0: as many as a node has neighbours
  double keep = 0.5;
  std::size_t relays = 0;  ///< nodes, the first, that never train

  static constexpr std::size_t rows = 1;
  static constexpr row_name sum = exchange_row(0);  ///< of the models in the buffer
  struct node_state {
    std::int64_t next = 0;  ///< tick of the next training
    std::size_t heard = 0;
    bool waits_for_end = false;
  };

  void on_start(auto &plan) const {
    for (node i = 0; i < plan.nodes(); ++i) sleep(plan, i);
  }

  void on_trained(auto &plan, node i) const {
    plan.step(i);
    send(plan, i);
  }

  void on_message(auto &plan, node i, auto const &m) const {
    auto &own = plan.state(i);
    if (own.heard++ == 0)
      plan.assign(i, sum, {}, {{1, m}});
    else
      plan.add(i, sum, {{1, m}});
    if (own.waits_for_end) return;
    own.waits_for_end = true;
    virtual_time const end = tick - plan.now() % tick - virtual_time(1);
    plan.set_timer(i, end, averages, true);
  }

  void on_timer(auto &plan, node i, std::uint32_t tag) const {
    if (tag == trains) return wake(plan, i);
    if (has_heard_enough(plan, i)) average(plan, i);
  }

  static constexpr exchange_properties properties() { return {.tolerates_loss = true}; }
  void check(graph const &g) const {
    if (most < least)
      throw input_error("buffered_gossip: least and most", "1 <= least <= most",
                        std::to_string(least) + " and " + std::to_string(most));
    if (relays >= g.nodes())
      throw input_error("buffered_gossip: relays",
                        "fewer than the " + std::to_string(g.nodes()) + " nodes",
                        std::to_string(relays));
  }

  static constexpr char const *name = "buffered_gossip";
  static constexpr char const *meaning =
      "nodes act in ticks: they send models, buffer received ones and average when the buffer is "
      "full";
  static constexpr auto members() {
    return member_list{
        described("tick", &buffered_gossip::tick, "duration of a tick in virtual time",
                  {.least = 2}),
        described("least", &buffered_gossip::least,
                  "minimum number of ticks between two trainings of a node", {.least = 1}),
        described("most", &buffered_gossip::most,
                  "maximum number of ticks between two trainings of a node", {.least = 1}),
        described("buffer", &buffered_gossip::buffer,
                  "number of received models that a node averages with its own; 0: its number of "
                  "neighbors"),
        described("keep", &buffered_gossip::keep, "weight of a node's own model in the average",
                  {.most = 1}),
        described("relays", &buffered_gossip::relays,
                  "number of nodes, the lowest-numbered ones, that never train")};
  }

 protected:
  static constexpr std::uint32_t trains = 0, averages = 1;

  void wake(auto &plan, node i) const {
    if (i >= relays) return plan.train(i);
    send(plan, i);
  }

  bool has_heard_enough(auto &plan, node i) const {
    auto &own = plan.state(i);
    own.waits_for_end = false;
    std::size_t const enough = buffer > 0 ? buffer : plan.topology().degree(i);
    return own.heard >= enough;
  }

  void average(auto &plan, node i) const {
    auto &own = plan.state(i);
    plan.assign(i, model_row,
                {{keep, model_row}, {(1 - keep) / static_cast<double>(own.heard), sum}});
    own.heard = 0;
  }

 private:
  void send(auto &plan, node i) const {
    auto const neighbors = plan.topology().neighbors(i);
    plan.send_to(i, {neighbors.begin(), neighbors.end()}, {{1, model_row}});
    sleep(plan, i);
  }

  void sleep(auto &plan, node i) const {
    auto &own = plan.state(i);
    own.next += least + static_cast<std::int64_t>(plan.random(i) * (most - least + 1));
    virtual_time const wait = own.next * tick - plan.now();
    plan.set_timer(i, wait.count() > 0 ? wait : virtual_time(0), trains);
  }
};

static_assert(exchange<buffered_gossip>);

}  // namespace gossip
