// The row operations of a level as one program over columns: cut the columns into tiles, run the
// whole program on a tile while it is in cache, take the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/column_access.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/engine/matrix_cache.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Row operations without observe, ready to run on any tile.
template <class T, class Row = T>
class row_program {
  using writes_type = row_writes<Row, T>;
  using step_scale = typename row_arithmetic<T>::step_scale;

 public:
  /// size: of the fleet.
  row_program(host_machine<T> const &machine, fleet_size const &size,
              row_arithmetic<T> const &arithmetic, column_counts const &columns,
              function_tables<T> const &functions)
      : machine_(machine),
        size_(size),
        arithmetic_(arithmetic),
        counts_(columns),
        functions_(functions) {}

  /// Takes the operations of the next program, which are of this window, and what their columns
  /// share; the scaling says which steps are taken, scalars are the values of the window's.
  void prepare(std::span<operation const> operations, plan_window const &window,
               mixing_cache<T> &cache, loss_scaling<T> &scaling, writes_type &writes,
               double const *scalars);

  /// The slots that its operations use of any owner.
  used_slots const &used() const { return used_; }

  /// Runs the program on columns first to last of rows of these slots; scratch as mix_tile wants
  /// it, sums those of a reduce.
  void run(leased_rows<Row> const &rows, std::size_t first, std::size_t last, T *scratch,
           reproducible_sum const *sums) const;

 private:
  /// The arguments of an operation besides its rows.
  struct prepared {
    column_kernel<T> const *function = nullptr;
    op::mixing_rows<T> const *matrix = nullptr;
    std::size_t at = 0;           // of its scale or its coefficients
    std::size_t first_write = 0;  // of rows in 16 bits
    bool taken = true;            // a step
  };

  /// Lists the writes of all operations, in their order.
  void count_writes(writes_type &writes);
  row_write write_of(std::size_t k, std::size_t which = 0) const {
    if constexpr (!writes_type::rounds) return {};
    return writes_[ready_[k].first_write + which];
  }

  void columns(leased_rows<Row> const &rows, std::size_t k, std::size_t first,
               std::size_t last) const;

  void mix(leased_rows<Row> const &rows, std::size_t k, std::size_t first, std::size_t last,
           T *scratch) const;

  /// The mean gradient of a tile, a block at a time, absorbed and stepped by the shared replica.
  void reduce(leased_rows<Row> const &rows, step_scale const &scale, std::size_t first,
              std::size_t last, reproducible_sum const &sums, row_write const &write) const;

  host_machine<T> machine_;
  fleet_size size_;
  row_arithmetic<T> arithmetic_;
  column_counts counts_;
  function_tables<T> const &functions_;
  std::span<operation const> operations_;
  used_slots used_;
  std::vector<prepared> ready_;  // of each operation
  std::vector<step_scale> scales_;
  cast_coefficients<T> coefficients_;
  std::vector<row_write> writes_;  // operation by operation
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/host/detail/row_program.ipp>
#endif
