// An exchange as a plan knows it: its handlers as pointers, and its declarations as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <gossip/clock/clock.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/exchange_properties.hpp>
#include <gossip/plan/message.hpp>
#include <gossip/plan/settings.hpp>

namespace gossip {

class plan;

/// The handlers of an exchange; null where it has none of the name.
struct exchange_calls {
  void const *exchange = nullptr;  ///< outlives the plan
  void (*on_round)(void const *exchange, plan &plan, round_number k) = nullptr;
  void (*on_trained)(void const *exchange, plan &plan, node i) = nullptr;
  void (*on_start)(void const *exchange, plan &plan) = nullptr;
  void (*on_message)(void const *exchange, plan &plan, node i,
                     message_header const &message) = nullptr;
  void (*on_timer)(void const *exchange, plan &plan, node i, std::uint32_t tag) = nullptr;
  void (*on_answer)(void const *exchange, plan &plan, double answer) = nullptr;
  /// Another plan of the same exchange.
  std::unique_ptr<plan> (*plan_again)(void const *exchange, graph const &g,
                                      prepared_clock const &time, plan_settings const &settings,
                                      by_round<mixing_matrix> const &weights) = nullptr;
};

/// The declarations of an exchange, as values.
struct exchange_facts {
  exchange_properties properties{};  ///< all of them settled
  bool replicas_identical = false;
  bool declares_rows = false;  ///< works on rows besides the model
  std::size_t rows = 0;        ///< of its own, a node
  std::size_t servers = 0, edge_rows = 0;
  std::size_t data_shares = 0;  ///< 0: a share a node
};

}  // namespace gossip
