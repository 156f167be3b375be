// A window of a plan that is in memory: operations in stream order, and the same by level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/capacity.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/operand.hpp>
#include <gossip/plan/decision.hpp>
#include <gossip/plan/levels.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_name.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip {

/// Trainings of a window, whole rounds of all nodes: four, which bound cohorts little and cost next
/// to nothing each; of more than 5,461 nodes fewer, down to one from 16,384 on, since a run can be
/// saved and ends between two windows alone, and the plan has two of them in memory.
constexpr std::uint64_t trainings_of_window(std::size_t nodes) {
  constexpr std::uint64_t enough = 16384;
  std::uint64_t const n = std::max<std::uint64_t>(nodes, 1);
  return n * std::clamp<std::uint64_t>((enough + n - 1) / n, 1, 4);
}
static_assert(trainings_of_window(5461) == 4 * 5461 && trainings_of_window(5462) == 3 * 5462);
static_assert(trainings_of_window(16383) == 2 * 16383 && trainings_of_window(16384) == 16384);

/// One level, or a stage of one: trainings that do not depend on each other, then row operations
/// in stream order, then those that end a stage, which do not depend on each other.
struct plan_level {
  std::span<operation const> cohort;
  std::span<operation const> row_operations;
  std::span<operation const> last;  ///< they make scalars, or work on whole rows
};

/// The first operations of a level's row operations that are executed as one program: up to an
/// observation or a sum, which stand alone. Empty where one of these is first.
std::span<operation const> first_program(std::span<operation const> row_operations);

/// Operations of a window. All vectors keep their room from window to window.
class plan_window {
 public:
  /// A progress that no run reaches, where a window is to end at none.
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  std::vector<operation> stream;
  std::vector<observation> observations;
  std::vector<mixing_matrix const *> matrices;
  std::deque<mixing_matrix> own_matrices;  ///< made for its rounds; `matrices` names them
  std::vector<double> coefficients;        ///< of functions of columns that take several
  std::vector<named_function> functions;   ///< that no window before it has named
  std::vector<operand> operands;           ///< of operations that read scalars
  std::vector<node_term> terms;            ///< of sums
  std::size_t servers = 0;                 ///< owners behind the nodes that train nothing
  std::size_t scalars = 0;                 ///< that its operations make, numbered from 0 on
  progress_mark end;                       ///< progress of the run at the end of the window
  std::optional<measured> asks;  ///< the quantity that the plan waits for after the window
  bool stopped = false;          ///< the exchange ends the run with it
  std::vector<double> *answers = nullptr;  ///< to which the answer is added

  /// True for the last window of a plan.
  bool is_last() const { return !observations.empty() && observations.back().last; }

  /// Empty, with room for so many operations in both orders.
  void expect(std::size_t operations) {
    clear();
    grow_capacity(stream, operations);
    grow_capacity(sorted_, operations);
    grow_capacity(observations, 64);
  }

  void clear();

  /// Levels have stages from now on, those of the stream so far stage 0 only.
  void begin_stages() {
    if (std::exchange(staged_, true)) return;
    for (operation &o : stream) o.level *= depths::stages;
  }

  /// Coefficient k of a column function; values: those of the window's scalars.
  double coefficient_of(work::columns const &own, std::size_t k, double const *values) const {
    if (own.has_coefficient()) return own.coefficient;
    return own.reads_scalars() ? operands[own.first + k].value(values)
                               : coefficients[own.first + k];
  }

  /// The number of a matrix among those that the window's mixtures name. stays: it outlives the
  /// window, which otherwise keeps a copy.
  std::uint32_t number_of(mixing_matrix const &w, bool stays);

  /// Sorts the stream by level, stably; O(operations). Stages become levels.
  void sort_levels();

  /// Progress of a run after `trained` of this window's trainings; between the marks of its ends,
  /// to scale.
  progress_mark between(progress_mark const &before, std::size_t trained) const;

  /// All operations; those of a level, cohort first, are a part of them.
  std::span<operation const> by_level() const { return sorted_; }

  std::size_t trainings() const { return trainings_; }
  /// Levels that train.
  std::size_t cohorts() const {
    std::size_t count = 0;
    for (std::size_t l = 0; l < levels_; ++l) count += offsets_[2 * l + 1] > offsets_[2 * l];
    return count;
  }

  /// Including level 0, whose cohort is empty.
  std::size_t levels() const { return levels_; }

  plan_level level(std::size_t l) const;

 private:
  /// A level's trainings come before its row operations; level 0 has none.
  static std::size_t place(operation const &o) {
    return 2 * std::size_t{o.level} + (o.kind() == operation_kind::train ? 0 : 1);
  }

  /// Levels and their stages, numbered anew: a stage becomes a level, and the operations that end
  /// it become another behind it.
  void number_stages();

  std::size_t levels_ = 0, trainings_ = 0;
  std::vector<operation> sorted_;
  std::vector<std::size_t> offsets_, next_;
  bool staged_ = false;
  std::vector<std::uint32_t> stages_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/window.ipp>
#endif
