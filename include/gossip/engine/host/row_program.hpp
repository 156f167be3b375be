// The row operations of a level as one program over columns: cut the columns into tiles, run the
// whole program on a tile while it is in cache, take the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/column_access.hpp>
#include <gossip/engine/loss_scaling.hpp>
#include <gossip/engine/matrix_cache.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Row operations without observe, ready to run on any tile.
template <class T, class Row = T>
class row_program {
  using fleet_type = fleet<Row, host_buffer>;
  using writes_type = row_writes<Row, T>;
  using step_scale = typename row_arithmetic<T>::step_scale;

 public:
  /// mixed: columns of the models that an exchange works on.
  row_program(host_machine<T> const &machine, fleet_type const &rows,
              row_arithmetic<T> const &arithmetic, std::size_t mixed, function_tables<T> functions)
      : machine_(machine),
        rows_(rows),
        arithmetic_(arithmetic),
        mixed_(mixed),
        functions_(functions) {}

  /// Takes the operations of the next program, which are of this window, and what their columns
  /// share; the scaling says which steps are taken, scalars are the values of the window's.
  void prepare(std::span<operation const> operations, plan_window const &window,
               mixing_cache<T> &cache, loss_scaling<T> &scaling, writes_type &writes,
               double const *scalars) {
    operations_ = operations;
    std::size_t const room = std::max(operations.size(), 2 * rows_.size().rows());
    grow_capacity(ready_, room);
    ready_.assign(operations.size(), {});
    grow_capacity(scales_, room);
    scales_.clear();
    coefficients_.clear(2 * room);
    for (std::size_t k = 0; k < operations.size(); ++k) {
      operation const &o = operations[k];
      prepared &own = ready_[k];
      if (o.kind == operation_kind::step || o.kind == operation_kind::reduce) {
        own.taken = scaling.steps(o);
        own.at = scales_.size();
        scales_.push_back(arithmetic_.scale(o.coefficient, scaling.number(o)));
      } else if (o.kind == operation_kind::columns) {
        own.function = &functions_.columns[o.code];
        std::size_t const count = own.function->coefficients;
        own.at = o.reads_scalars() ? coefficients_.add(o, count, window.operands, scalars)
                                   : coefficients_.add(o, count, window.coefficients);
      } else if (o.kind == operation_kind::mix) {
        own.matrix = &cache.of(*window.matrices[o.count]);
      }
    }
    if constexpr (writes_type::rounds) count_writes(writes);
  }

  /// Runs the program on columns first to last; scratch as mix_tile wants it, sums those of a
  /// reduce.
  void run(std::size_t first, std::size_t last, T *scratch, reproducible_sum const *sums) const {
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      operation const &o = operations_[k];
      prepared const &own = ready_[k];
      switch (o.kind) {
        case operation_kind::step:
          if (own.taken)
            step_columns(rows_, arithmetic_, o, scales_[own.at], first, last, write_of(k));
          break;
        case operation_kind::columns:
          columns(k, first, last);
          break;
        case operation_kind::mix:
          mix(k, first, last, scratch);
          break;
        case operation_kind::reduce:
          if (own.taken)
            reduce(scales_[own.at], first, last, *sums, write_of(k));
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
        each_writer(operations_[k], rows_.size(),
                    [&](node i) { writes_.push_back(writes.next(i)); });
    }
  }
  row_write write_of(std::size_t k, std::size_t which = 0) const {
    if constexpr (!writes_type::rounds) return {};
    return writes_[ready_[k].first_write + which];
  }

  void columns(std::size_t k, std::size_t first, std::size_t last) const {
    operation const &o = operations_[k];
    first = std::max(first, o.first_column());
    std::size_t const end = std::min(last, columns_of(o, mixed_, arithmetic_));
    if (first >= end) return;
    bool const both = o.rows.writes_second() && o.b < rows_.size().owners();
    row_write const second = both ? write_of(k, 1) : row_write{};
    T const *const c = coefficients_[ready_[k].at];
    on_rows<T>(
        rows_, o, first, end, write_of(k), both ? &second : nullptr,
        [&](T *const *rows, std::size_t count) { ready_[k].function->tile(c, rows, count); });
  }

  void mix(std::size_t k, std::size_t first, std::size_t last, T *scratch) const {
    operation const &o = operations_[k];
    first = std::max(first, o.first_column());
    std::size_t const end = std::min(last, columns_of(o, mixed_, arithmetic_));
    if (first >= end) return;
    rows_view<Row> const x = rows_.slot(o.slot());
    change_columns(machine_, functions_.neighborhoods, o.code, *ready_[k].matrix, x, first, end,
                   scratch, writes_.data() + ready_[k].first_write, {.slot = o.slot()});
  }

  /// The mean gradient of a tile, a block at a time, absorbed and stepped by the shared replica.
  void reduce(step_scale const &scale, std::size_t first, std::size_t last,
              reproducible_sum const &sums, row_write const &write) const {
    constexpr std::size_t block = 512;
    double const nodes = static_cast<double>(rows_.size().nodes);
    T mean[block];
    for (std::size_t begin = first; begin < last; begin += block) {
      std::size_t const end = std::min(begin + block, last);
      for (std::size_t c = begin; c < end; ++c)
        mean[c - begin] = static_cast<T>(sums.take_value(c) / nodes);
      on_columns<T>(rows_, 0, begin, end, write, [&](auto const &range, std::size_t done) {
        arithmetic_.absorb_and_step(scale, mean + done, range);
      });
    }
  }

  host_machine<T> machine_;
  fleet_type const &rows_;
  row_arithmetic<T> arithmetic_;
  std::size_t mixed_;
  function_tables<T> functions_;
  std::span<operation const> operations_;
  std::vector<prepared> ready_;  // of each operation
  std::vector<step_scale> scales_;
  cast_coefficients<T> coefficients_;
  std::vector<row_write> writes_;  // operation by operation
};

}  // namespace gossip
