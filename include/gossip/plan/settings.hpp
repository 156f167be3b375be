// A planner's settings of a run, besides topology, clock and exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <gossip/clock/timeline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/epochs.hpp>

namespace gossip {

/// The times of rounds, where a first plan of the run has to be timed as a whole to know them.
struct round_ends {
  std::vector<virtual_time> ends;
  bool known = false;
};

struct plan_settings {
  std::uint64_t seed = 1;
  std::uint64_t node_iterations = 0;  ///< all nodes together; whole rounds where there are rounds
  epoch_length epoch{};               ///< in whole samples
  std::size_t message_bytes = 0;      ///< one model on the wire
  std::size_t row_bytes = 0;          ///< any other row on the wire
  std::size_t columns = 1;            ///< numbers of such a row
  std::span<row_tensor const> tensors = {};  ///< that it consists of, where they are known; they
                                             ///< outlive the plan
  std::size_t optimizer_rows = 0;            ///< of a node
  std::function<double(double)> rate;        ///< learning rate at an epoch
  std::vector<cadence> cadences;             ///< at most 64
  std::vector<std::uint32_t> outboxes = {};  ///< (n + servers) payloads of each sender's messages;
                                             ///< none: they are counted, and the plan not executed
  std::vector<std::size_t> samples = {};     ///< training samples of each share, where known
  std::vector<double> answers = {};  ///< to what the exchange asks, as far as they are known
  std::shared_ptr<round_ends> ends = nullptr;       ///< of rounds with contention,
                                                    ///< counted by the first plan
  std::span<listed_function const> functions = {};  ///< that the exchange lists
  bool functions_are_all = false;                   ///< an engine knows no others
  timeline *times = nullptr;  ///< told of all trainings and messages; outlives the plan
};

}  // namespace gossip
