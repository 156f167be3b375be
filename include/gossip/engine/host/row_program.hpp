// The row operations of a level as one program over columns: cut the columns into tiles, run the
// whole program on a tile while it is in cache, take the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
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
#include <gossip/plan/row_uses.hpp>
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
               double const *scalars) {
    operations_ = operations;
    std::size_t const room = std::max(operations.size(), 2 * size_.rows());
    grow_capacity(ready_, room);
    ready_.assign(operations.size(), {});
    grow_capacity(scales_, room);
    scales_.clear();
    coefficients_.clear(2 * room);
    used_ = {};
    for (std::size_t k = 0; k < operations.size(); ++k) {
      operation const &o = operations[k];
      prepared &own = ready_[k];
      used_ |= in_place(uses_of(o).together());
      if (o.steps()) {
        own.taken = scaling.steps(o);
        own.at = scales_.size();
        scales_.push_back(arithmetic_.scale(o.rate(), scaling.number(o)));
      } else if (o.kind() == operation_kind::columns) {
        own.function = &functions_.columns[o.columns().function];
        own.at = coefficients_.add(o.columns(), own.function->coefficients, window, scalars);
      } else if (o.kind() == operation_kind::mix) {
        own.matrix = &cache.of(*window.matrices[o.mix().matrix]);
      }
    }
    if constexpr (writes_type::rounds) count_writes(writes);
  }

  /// The slots that its operations use of any owner.
  used_slots const &used() const { return used_; }

  /// Runs the program on columns first to last of rows of these slots; scratch as mix_tile wants
  /// it, sums those of a reduce.
  void run(leased_rows<Row> const &rows, std::size_t first, std::size_t last, T *scratch,
           reproducible_sum const *sums) const {
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      operation const &o = operations_[k];
      prepared const &own = ready_[k];
      switch (o.kind()) {
        case operation_kind::step:
          if (own.taken)
            step_columns(rows, arithmetic_, o, scales_[own.at], first, last, write_of(k));
          break;
        case operation_kind::columns:
          columns(rows, k, first, last);
          break;
        case operation_kind::mix:
          mix(rows, k, first, last, scratch);
          break;
        case operation_kind::reduce:
          if (own.taken)
            reduce(rows, scales_[own.at], first, last, *sums, write_of(k));
          else
            sums->clear(first, last);
          break;
        case operation_kind::train:
        case operation_kind::observe:
        case operation_kind::reduce_rows:
        case operation_kind::compute:
        case operation_kind::whole_rows:
        case operation_kind::sum:
          break;
      }
    }
  }

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
  void count_writes(writes_type &writes) {
    writes_.clear();
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      ready_[k].first_write = writes_.size();
      if (ready_[k].taken)
        each_writer(operations_[k], size_, [&](node i) { writes_.push_back(writes.next(i)); });
    }
  }
  row_write write_of(std::size_t k, std::size_t which = 0) const {
    if constexpr (!writes_type::rounds) return {};
    return writes_[ready_[k].first_write + which];
  }

  void columns(leased_rows<Row> const &rows, std::size_t k, std::size_t first,
               std::size_t last) const {
    operation const &o = operations_[k];
    work::columns const &own = o.columns();
    first = std::max<std::size_t>(first, own.limits.first);
    std::size_t const end = std::min(last, own.end(o.rows, counts_));
    if (first >= end) return;
    bool const both = o.rows.writes_second() && own.b < size_.owners();
    row_write const second = both ? write_of(k, 1) : row_write{};
    T const *const c = coefficients_[ready_[k].at];
    on_rows<T>(rows, o, first, end, write_of(k), both ? &second : nullptr,
               [&](T *const *at, std::size_t count) { ready_[k].function->tile(c, at, count); });
  }

  void mix(leased_rows<Row> const &rows, std::size_t k, std::size_t first, std::size_t last,
           T *scratch) const {
    operation const &o = operations_[k];
    first = std::max(first, o.first_column());
    std::size_t const end = std::min(last, end_of_columns(o, counts_));
    if (first >= end) return;
    rows_view<Row> const x = rows.nodes(o.slot(), first, end);
    change_columns(machine_, functions_.neighborhoods, o.mix().function, *ready_[k].matrix, x, 0,
                   end - first, scratch, writes_.data() + ready_[k].first_write,
                   {.column = first, .slot = o.slot()});
  }

  /// The mean gradient of a tile, a block at a time, absorbed and stepped by the shared replica.
  void reduce(leased_rows<Row> const &rows, step_scale const &scale, std::size_t first,
              std::size_t last, reproducible_sum const &sums, row_write const &write) const {
    constexpr std::size_t block = 512;
    double const nodes = static_cast<double>(size_.nodes);
    T mean[block];
    for (std::size_t begin = first; begin < last; begin += block) {
      std::size_t const end = std::min(begin + block, last);
      for (std::size_t c = begin; c < end; ++c)
        mean[c - begin] = static_cast<T>(sums.take_value(c) / nodes);
      on_columns<T>(rows, 0, begin, end, write, [&](auto const &range, std::size_t done) {
        arithmetic_.absorb_and_step(scale, mean + done, range);
      });
    }
  }

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
