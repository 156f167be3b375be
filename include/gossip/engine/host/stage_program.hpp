// Operations that end a stage, on the host: those that make scalars, and those on whole rows.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/engine/host/scalar_program.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/used_rows.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/op/function_entry.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Whole-row functions, an operation a thread. Rows in 16 bits are taken into numbers, and rounded
/// when they are put back. The fleet outlives it.
template <class T, class Fleet>
class whole_row_program {
  using Row = typename Fleet::element;
  static constexpr bool rounds = !std::is_same_v<Row, T>;

 public:
  /// tensors: of the trainable part of a row.
  whole_row_program(Fleet const &rows, std::span<row_tensor const> tensors,
                    function_tables<T> const &functions)
      : rows_(rows), tensors_(tensors), columns_(tensors_.columns()), functions_(functions) {}

  /// Bytes of numbers beside rows in 16 bits, of so many rows an operation.
  static constexpr std::size_t bytes(std::size_t workers, std::size_t rows, std::size_t columns) {
    return rounds ? workers * rows * columns * sizeof(T) : 0;
  }

  /// Those of the operations that are on whole rows; they do not depend on each other.
  void run(host_machine<T> const &machine, std::span<operation const> operations,
           plan_window const &window, double const *scalars, row_writes<Row, T> &writes) {
    grow_capacity(own_, operations.size());
    grow_capacity(writes_, operations.size());
    own_.clear();
    writes_.clear();
    for (operation const &o : operations)
      if (o.kind() == operation_kind::whole_rows) {
        own_.push_back(o);
        writes_.push_back(writes.next(o.a));
      }
    if (own_.empty()) return;
    if constexpr (rounds) numbers_.resize(machine.workers());
    std::size_t done = 0;
    each_operations_part(
        rows_, std::span<operation const>(own_), [&](auto const &rows, auto const &part) {
          machine.for_each(part.size(), [&](std::size_t worker, std::size_t k) {
            double c[most_coefficients];
            operation const &o = part[k];
            whole_row_kernel<T> const &function = functions_.whole_rows[o.whole_rows().function];
            take_operands(o, function.coefficients, window, scalars, c);
            run(rows, o, function, c, writes_[done + k], worker);
          });
          done += part.size();
        });
  }

 private:
  void run(leased_rows<Row> const &rows, operation const &o, whole_row_kernel<T> const &function,
           double const *c, row_write const &write, std::size_t worker) {
    std::array<T *, most_rows> at{};
    auto const row = [&](row_access const &one) { return rows.row(one.slot, o.owner(one)); };
    if constexpr (!rounds) {
      for (std::size_t k = 0; k < o.rows.size(); ++k) at[k] = row(o.rows[k]);
      function.run(tensors_, c, at.data());
    } else {
      std::vector<T> &numbers = numbers_[worker];
      grow_capacity(numbers, o.rows.size() * columns_);
      numbers.resize(o.rows.size() * columns_);
      for (std::size_t k = 0; k < o.rows.size(); ++k) {
        at[k] = numbers.data() + k * columns_;
        if (o.rows[k].reads) take_columns(row(o.rows[k]), 0, columns_, at[k]);
      }
      function.run(tensors_, c, at.data());
      for (std::size_t k = 0; k < o.rows.size(); ++k)
        if (o.rows[k].writes)
          put_columns(write, o.rows[k].slot, at[k], 0, columns_, row(o.rows[k]));
    }
  }

  Fleet const &rows_;
  row_tensors tensors_;
  std::size_t columns_;
  function_tables<T> const &functions_;
  std::vector<operation> own_;
  std::vector<row_write> writes_;        // of these
  std::vector<std::vector<T>> numbers_;  // (workers) rows in 16 bits as numbers
};

/// Both of them, and the scalars of a window.
template <class T, class Fleet>
class stage_program {
 public:
  /// columns: of the trainable part of a row; tensors: of it.
  stage_program(Fleet const &rows, std::size_t columns, std::span<row_tensor const> tensors,
                function_tables<T> const &functions)
      : scalars_(rows, columns, functions), whole_rows_(rows, tensors, functions) {}

  /// Room for the scalars of a window.
  void begin(plan_window const &window) { scalars_.begin(window); }
  /// Values of the window's scalars.
  double const *scalars() const { return scalars_.values(); }

  /// The last operations of a stage.
  template <class Writes>
  void run(host_machine<T> const &machine, std::span<operation const> operations,
           plan_window const &window, Writes &writes) {
    if (operations.empty()) return;
    scalars_.run(machine, operations, window);
    whole_rows_.run(machine, operations, window, scalars_.values(), writes);
  }

 private:
  scalar_program<T, Fleet> scalars_;
  whole_row_program<T, Fleet> whole_rows_;
};

}  // namespace gossip
