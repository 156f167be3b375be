// Scalars of a window on the host: their values, and the operations that make them.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/engine/host/stage_sums.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// to (count) = the first operands of an operation, as numbers.
inline void take_operands(operation const &o, std::size_t count, plan_window const &window,
                          double const *scalars, double *to) {
  for (std::size_t k = 0; k < count; ++k)
    to[k] = window.operands[o.first_operand() + k].value(scalars);
}

/// Sums by op::reduction_tree, whose blocks are divided among cores. The fleet outlives it.
template <class T, class Fleet>
class scalar_program {
  using tree = op::reduction_tree;
  using Row = typename Fleet::element;

 public:
  /// columns: those that are trainable, which are summed.
  scalar_program(Fleet const &rows, std::size_t columns, function_tables<T> const &functions)
      : rows_(rows), columns_(columns), functions_(functions) {}

  /// Room for the scalars of a window.
  void begin(plan_window const &window) {
    grow_capacity(values_, window.scalars);
    values_.resize(window.scalars);
  }

  double const *values() const { return values_.data(); }

  /// Those of the window's operations that make scalars; they do not depend on each other.
  void run(host_machine<T> const &machine, std::span<operation const> operations,
           plan_window const &window);

 private:
  static constexpr std::size_t width = std::is_same_v<Row, T> ? tree::block : rounding_block;
  static_assert(width % tree::lanes == 0);
  static_assert(lease_parts::unit % tree::block == 0);  // a block of a sum lies in one lease
  static constexpr std::size_t most_numbers = 8192;     // in double, of a group's rows

  /// Of a worker: numbers of a group's rows, and lanes of its sums.
  struct scratch {
    std::vector<double> numbers, lanes;
  };

  /// Sums of all blocks, (sums, blocks).
  void add_up(host_machine<T> const &machine, std::span<operation const> operations);

  /// The same from whole rows of the owners that the sums name, each sum by itself.
  void add_up_by_owners(host_machine<T> const &machine, std::span<operation const> operations);

  /// A block of a group's sums, by numbers in double of so many columns as stay in cache.
  void add_group(leased_rows<Row> const &leased, stage_sums::group const &group,
                 std::span<operation const> operations, std::size_t b, scratch &own);

  static void widen(Row const *row, std::size_t count, double *to);

  double sum_of_block(leased_rows<Row> const &leased, operation const &o, std::size_t b) const;

  reduction_kernel<T> const &function_of(operation const &o) const {
    return functions_.reductions[o.reduce_rows().function];
  }
  op::term_fold fold_of(operation const &o) const { return function_of(o).fold; }

  double computed(operation const &o, plan_window const &window) const;

  Fleet const &rows_;
  std::size_t columns_;
  function_tables<T> const &functions_;
  stage_sums asked_;
  std::vector<double> values_, sums_;  // sums (sums, blocks)
  std::vector<scratch> scratch_;       // (workers)
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/host/detail/scalar_program.ipp>
#endif
