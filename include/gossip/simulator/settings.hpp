// The settings of one run.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip {

/// The execution of a plan: by levels, or one operation at a time (the reference, slow).
enum class execution { levelled, reference };

/// The treatment of statistics in a node's row, those of batch normalisation, by an exchange.
enum class statistics_mode {
  mixed,        ///< they travel and are averaged like parameters
  own,          ///< every node keeps its own; messages hold parameters only
  reestimated,  ///< own, and measured anew wherever a model is evaluated
};

template <>
struct value_names<execution> {
  static constexpr std::array<char const *, 2> names{"levelled", "reference"};
};
template <>
struct value_names<statistics_mode> {
  static constexpr std::array<char const *, 3> names{"mixed", "own", "reestimated"};
};

namespace detail {

/// Types of members of run_settings whose names other libraries have for settings: a value for such
/// a member does not compile.
struct no_length {
  no_length() = default;
  template <class V>
  no_length(V const &) {
    static_assert(sizeof(V) == 0,
                  "gossip::run_settings: there is no setting epochs or rounds; write .stop = "
                  "gossip::epochs{5} or .stop = gossip::rounds{5}");
  }
};
struct no_batch_size {
  no_batch_size() = default;
  template <class V>
  no_batch_size(V const &) {
    static_assert(sizeof(V) == 0,
                  "gossip::run_settings: there is no setting batch_size; write .batch");
  }
};
struct no_rate {
  no_rate() = default;
  template <class V>
  no_rate(V const &) {
    static_assert(sizeof(V) == 0,
                  "gossip::run_settings: there is no setting learning_rate or lr; the rate is a "
                  "member of the optimizer: gossip::sgd{.rate = 0.1}");
  }
};

}  // namespace detail

struct run_settings {
  std::uint64_t seed = 1;                           ///< of everything random, but for
  std::optional<std::uint64_t> topology_seed = {};  ///< the graph, where this is given, and
  std::optional<std::uint64_t> split_seed = {};     ///< the split of the samples, where this is
  std::size_t batch = 32;                           ///< samples a node and training
  /// Rounded up to whole rounds.
  std::variant<gossip::epochs, gossip::rounds> stop = gossip::epochs{1};
  execution engine = execution::levelled;
  statistics_mode statistics = statistics_mode::mixed;
  std::size_t reestimation = 8;  ///< batches that statistics are measured anew on, the node's own;
                                 ///< of the averaged model those of so many nodes
  std::vector<double> start = {};  ///< (d) the row of all nodes at first; empty: the model's own
  std::size_t ranks = 0;   ///< of a dry run: as if there were so many; 0: as many as there are
  std::size_t traced = 0;  ///< of a dry run: nodes, from 0 on, whose activities it reports
  std::atomic<bool> const *interrupt = nullptr;  ///< becomes true: the run ends at the next level
  std::vector<double> answers = {};    ///< of an earlier run to what the exchange asks: a replay
  saved_state const *state = nullptr;  ///< of a run of the same settings and policies at a window's
                                       ///< end: this one goes on from there
  bool copy_of_state = false;  ///< memory that is needed counts a copy of the state, if there is
                               ///< room for one: checkpoints are then written while the run goes on
  std::size_t memory = 0;      ///< bytes that this process may have resident; 0: any number. Rows
                               ///< that do not fit lie in
  std::string scratch = ".";   ///< a file without a name in this folder, on a disk, or in
  store_maker store = {};      ///< a store that this makes
  /// What is in memory of these rows, in the place of what `memory` leads to.
  std::optional<tier_shape> tier = {};
  // No settings: names that are refused with the right one.
  detail::no_length epochs{}, rounds{};
  detail::no_batch_size batch_size{};
  detail::no_rate learning_rate{}, lr{};
};

namespace detail {

/// The seeds of the graph and of the split.
inline std::uint64_t seed_of_topology(run_settings const &s) {
  return s.topology_seed.value_or(s.seed);
}
inline std::uint64_t seed_of_split(run_settings const &s) {
  return s.split_seed.value_or(s.seed);
}

void check_batch(std::size_t batch);

/// Columns of a row, and those that an exchange works on.
inline column_counts columns_of_rows(run_settings const &s, model_outline const &model) {
  bool const mixed = s.statistics == statistics_mode::mixed;
  return {model.row_length(), mixed ? model.row_length() : model.parameters, model.parameters};
}

/// Batches that an evaluation begins with.
inline std::size_t reestimation_batches(run_settings const &s, model_outline const &model) {
  if (s.statistics != statistics_mode::reestimated || model.statistics == 0) return 0;
  if (s.reestimation == 0) throw input_error("run: reestimation must be at least 1 batch, got 0");
  return s.reestimation;
}

/// Node-iterations of the network in a period, about.
inline double node_iterations(epochs e, epoch_length epoch, std::size_t) {
  return e.count * static_cast<double>(epoch.samples) / static_cast<double>(epoch.batch);
}
inline double node_iterations(rounds r, epoch_length, std::size_t nodes) {
  return static_cast<double>(r.count) * static_cast<double>(nodes);
}

/// The cadence of a period, which is above 0.
inline cadence cadence_of(epochs e, epoch_length epoch, std::size_t) {
  return every_epochs(e.count, epoch);
}
inline cadence cadence_of(rounds r, epoch_length epoch, std::size_t nodes) {
  return node_iterations(r, epoch, nodes) < 1e15 ? cadence{r.count * nodes}
                                                 : cadence{most_node_iterations};
}

inline cadence cadence_of(std::variant<epochs, rounds> const &period, epoch_length epoch,
                          std::size_t nodes) {
  return std::visit([&](auto p) { return cadence_of(p, epoch, nodes); }, period);
}

/// All node-iterations of a run, whole rounds.
std::uint64_t total_iterations(run_settings const &s, epoch_length epoch, std::size_t nodes);

/// Settings that all ranks must share, beside what rank 0 makes for all: name and value.
fact_list facts_of(run_settings const &s, plan_settings const &plan, std::size_t nodes,
                   std::size_t parameters);

}  // namespace detail

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/settings.ipp>
#endif
