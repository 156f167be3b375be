// The contract of engines. An engine executes the windows of a plan on the rows of a fleet:
//
//   struct tiny_engine {
//     using types = host_types<float>;            // its compile-time types
//     using inputs = host_inputs<float>;          // what it is made of
//     explicit tiny_engine(inputs const &);
//     static std::size_t working_bytes(auto const &model, auto const &machine, std::size_t nodes,
//                                      std::size_t batch, bool shared);   // announced memory
//     bool run(plan_window const &, Observe, Stop);   // one window; false: stopped within it
//     ...                                         // members of concept engine, evaluation, state
//   };
//
// Engines on hosts give the same bits: those of the stream of operations executed one by one
// (engine/host/reference.hpp); a device's repeat their own. simulator/runs.hpp chooses one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The types that an engine of hosts is compiled for. Number: of arithmetic. Storage: of an element
/// of a row.
template <class Number, class Storage = Number>
struct host_types {
  using number = Number;
  using storage = Storage;
  using fleet_type = fleet<Storage, host_buffer>;
  static constexpr bool on_device = false;
};

/// Seed and sizes of a run, which every engine is given.
struct engine_numbers {
  std::uint64_t seed;
  std::size_t batch;         ///< samples of a gradient
  column_counts columns;     ///< of a row
  std::size_t reestimation;  ///< batches that statistics are measured anew on before evaluation
  std::size_t test_bytes;    ///< of the test sets that models are scored on
};

/// The parts of an engine of hosts; model, rows and samples outlive it.
template <class Number, class Storage = Number>
struct host_inputs : engine_numbers {
  host_machine<Number> machine;
  host_model<Number> const &model;
  fleet<Storage, host_buffer> const &rows;
  row_arithmetic<Number> arithmetic;
  training_samples samples;
};

/// The operations that have been executed where one of them throws: those before it in the stream,
/// or in the order of levels, or, on a device or many ranks, any of its window.
enum class execution_order : std::uint8_t { stream, levels, any };

/// Observe and Stop stand for functions of a run loop: the work at an observation, and whether the
/// run is to end.
template <class E>
concept engine = requires(
    E &e, plan_window const &window, progress_mark const &before, state_visitor const &visit,
    std::span<typename E::types::number const> row, std::span<std::uint32_t const> indices,
    dataset const &test, void (*observe)(observation const &), bool (*stop)()) {
  requires std::constructible_from<E, typename E::inputs const &>;
  { e.run(window, observe, stop) } -> std::same_as<bool>;
  { e.reached(before, window) } -> std::same_as<progress_mark>;  // of a window that was stopped
  e.pass_over(window);     // executed before the state that the engine was given
  e.name_state(visit);     // between windows: all that the next windows depend on
  e.set_all(row);          // the same parameters for every node
  e.losses().take_mean();  // of the trainings since the last call
  e.skipped();             // steps left out because a scaled loss overflowed
  { e.mean_cohort() } -> std::convertible_to<double>;
  e.host_rows();  // the parameters of all nodes in host memory
  e.host_rows_of_servers();
  e.host_loops();  // a backend that runs loops over them
  { E::order } -> std::convertible_to<execution_order>;
  // Of a row as it is now, also after a failure; none where it is not here.
  { e.extreme(node{}, std::uint8_t{}) } -> std::same_as<std::optional<extreme_number>>;
  { e.evaluate(indices, row.data(), test, indices) } -> std::same_as<std::vector<evaluation>>;
};

}  // namespace gossip
