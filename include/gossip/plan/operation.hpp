// The operations a plan is made of: plain data, small enough to stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gossip/core/node.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/work.hpp>

namespace gossip {

/// One operation on the rows of one owner or two, or of all nodes: work of one kind.
class operation {
 public:
  row_list rows;  ///< the rows read and written; of reduce and observe none
  node a = 0;     ///< the owner of the first rows
  std::uint32_t level = 0;

  constexpr operation() : work_(work::observe{}) {}
  /// Work: a type of namespace work.
  template <class Work>
  constexpr operation(std::uint32_t at_level, node owner, row_list const &list, Work const &what)
      : rows(list), a(owner), level(at_level), work_(what) {}

  constexpr operation_kind kind() const { return work_.train.kind; }  // the first member of all

  /// The work of an operation of that kind; undefined of an operation of another kind.
  constexpr work::train const &train() const { return work_.train; }
  constexpr work::train &train() { return work_.train; }
  constexpr work::step const &step() const { return work_.step; }
  constexpr work::columns const &columns() const { return work_.columns; }
  constexpr work::mix const &mix() const { return work_.mix; }
  constexpr work::reduce const &reduce() const { return work_.reduce; }
  constexpr work::observe const &observe() const { return work_.observe; }
  constexpr work::reduce_rows const &reduce_rows() const { return work_.reduce_rows; }
  constexpr work::compute const &compute() const { return work_.compute; }
  constexpr work::whole_rows const &whole_rows() const { return work_.whole_rows; }
  constexpr work::sum const &sum() const { return work_.sum; }

  /// f(work) with the work of its kind.
  template <class F>
  constexpr decltype(auto) visit(F f) const {
    return work::visit(work_, f);
  }

  /// The owner of the rows that the list names as those of a second; a where there is none.
  constexpr node b() const {
    return visit([this](auto const &what) {
      if constexpr (requires { what.b; })
        return what.b;
      else
        return a;
    });
  }
  /// The owner of a row that the list names.
  constexpr node owner(row_access const &one) const { return one.of_second ? b() : a; }
  /// The same work on rows of other owners.
  constexpr void rename(node first, node second) {
    a = first;
    work::visit(work_, [second](auto &what) {
      if constexpr (requires { what.b; }) what.b = second;
    });
  }

  /// The slot of the first row: of a training the row at which the gradient is taken, of a mixture
  /// the one that is mixed, of a sum the one that is written.
  constexpr std::uint8_t slot() const { return rows[0].slot; }

  /// The columns that it works on: all of them where its kind of work has no limits.
  constexpr column_limits limits() const {
    return visit([](auto const &what) {
      if constexpr (requires { what.limits; })
        return what.limits;
      else
        return column_limits{};
    });
  }
  constexpr std::size_t first_column() const { return limits().first; }

  /// The rate at which an optimizer steps, and the number of the step, from 1 on; 0: none does.
  constexpr double rate() const {
    return visit([](auto const &what) {
      if constexpr (requires { what.rate; })
        return what.rate;
      else
        return 0.0;
    });
  }
  constexpr std::uint64_t step_number() const {
    return visit([](auto const &what) -> std::uint64_t {
      if constexpr (requires { what.step_number; })
        return what.step_number;
      else
        return 0;
    });
  }
  constexpr bool steps() const { return step_number() != 0; }

  constexpr bool makes_scalar() const {
    return kind() == operation_kind::reduce_rows || kind() == operation_kind::compute;
  }
  /// The number in the window of the scalar that it makes, and the node that has it.
  constexpr std::uint32_t scalar() const {
    return kind() == operation_kind::compute ? work_.compute.scalar : work_.reduce_rows.scalar;
  }
  constexpr node owner_of_scalar() const {
    return kind() == operation_kind::compute ? a : work_.reduce_rows.owner;
  }
  /// True of reduce_rows where the node that has the scalar may own neither of the two rows.
  constexpr bool reduces_others() const {
    return kind() == operation_kind::reduce_rows && work_.reduce_rows.of_others;
  }
  /// True where the result can be read from the end of the stage on, not before.
  constexpr bool ends_stage() const {
    return makes_scalar() || kind() == operation_kind::whole_rows;
  }
  /// True where the coefficients are operands of the window, which may be scalars; the index of the
  /// first of these operands.
  constexpr bool reads_scalars() const {
    return kind() == operation_kind::compute ||
           (kind() == operation_kind::columns && work_.columns.reads_scalars()) ||
           (kind() == operation_kind::whole_rows && work_.whole_rows.with_operands);
  }
  constexpr std::uint64_t first_operand() const {
    if (kind() == operation_kind::columns) return work_.columns.first;
    return kind() == operation_kind::compute ? work_.compute.operands : work_.whole_rows.operands;
  }

  /// True where both do the same work on the same rows; their levels may differ.
  constexpr bool does_as(operation const &o) const {
    return rows == o.rows && a == o.a && words() == o.words();
  }
  /// The work in words, which are the same for the same work.
  constexpr work::words words() const {
    return visit([](auto const &what) { return what.words(); });
  }

 private:
  work::any work_;
};

static_assert(sizeof(operation) == 40 && std::is_trivially_copyable_v<operation>);

/// Whether an operation calls a column function of the library.
template <column_function F>
constexpr bool applies(operation const &o) {
  return o.kind() == operation_kind::columns &&
         o.columns().function == library_functions::number_of<F>;
}

/// The progress of a run: counted by the plan, the same on every machine.
struct progress_mark {
  std::uint64_t round = 0;            ///< rounds, or steps / nodes where there are none
  std::uint64_t node_iterations = 0;  ///< steps of all nodes together
  double epoch = 0;                   ///< samples trained on by all nodes / training samples
  virtual_time time{0};
  std::uint64_t bytes_sent = 0;
};

/// A point at which observers look, and which of their cadences are due (bit c: cadence c).
struct observation {
  progress_mark mark;
  std::uint64_t due = 0;
  bool last = false;
};

}  // namespace gossip
