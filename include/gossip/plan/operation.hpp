// The operations a plan is made of: plain data, small enough to stream.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/row_list.hpp>

namespace gossip {

/// The kind of work of an operation on the rows that it names. x is the model of a node, slot 0.
enum class operation_kind : std::uint8_t {
  train,    ///< a gradient at a row of node a, on a batch: see share, batch, names_gradient_row
  step,     ///< x_a moves by what was absorbed; coefficient: the rate; count: its steps, from 1
  columns,  ///< column function number `code` on rows of one node or of two
  mix,      ///< X <- W X of one slot over all nodes, or neighborhood function number `code`; count:
            ///< number of the matrix in the window
  reduce,  ///< the shared replica steps by the mean of all gradients; coefficient and count as step
  observe,      ///< observers look at the network; count: number of the observation in the window
  reduce_rows,  ///< scalar number `count` = the sum of row function number `code` over the columns
  compute,      ///< scalar number `b` = scalar function number `code` of operands from `count` on
  whole_rows,   ///< whole-row function number `code`, given operands from `count` on
  sum,  ///< a row of owner a, or of all nodes, = the sum of weight * row over `b` terms of the
        ///< window from `count` on, or of coefficient * row over all nodes
};

/// Columns first to last.
struct column_limits {
  std::uint32_t first, last;
};

/// One operation on the rows of one or two nodes, or of all.
struct operation {
  /// Flags.
  static constexpr std::uint8_t with_step = 1, not_counted = 2, of_scalars = 4, to_nodes = 8,
                                of_share = 16, of_fragment = 32, of_others = 64;

  operation_kind kind;
  std::uint8_t flags;
  std::uint16_t code;  ///< the function's number; of a train or step a slot, see below
  std::uint32_t level;
  node a;
  node b;  ///< of a train with its step: the number of that step; of a sum: its terms, 0: all nodes
  row_list rows;       ///< the rows read and written; of observe and reduce none
  double coefficient;  ///< of columns with several: those from `count` on of the window; where
                       ///< they read scalars, its operands from there on; of a fragment: the bits
                       ///< of its limits, however many coefficients it has, and `count` has the
                       ///< bits of the weight of a sum over all nodes; of reduce_rows of two other
                       ///< nodes: the bits of the node that has the scalar
  std::uint64_t count;

  /// Of a train: its step follows with nothing between.
  constexpr bool fused_step() const { return (flags & with_step) != 0; }
  /// Of a train: it is no node iteration, and its loss is not recorded.
  constexpr bool uncounted() const { return (flags & not_counted) != 0; }
  /// Of columns and whole rows: their coefficients are operands of the window.
  constexpr bool reads_scalars() const { return (flags & of_scalars) != 0; }

  /// Columns, a mix and a sum may work on a fragment of a row, columns first to last, and not on
  /// all.
  constexpr bool in_fragment() const { return (flags & of_fragment) != 0; }
  constexpr column_limits limits() const { return std::bit_cast<column_limits>(coefficient); }
  constexpr std::size_t first_column() const { return in_fragment() ? limits().first : 0; }
  constexpr std::size_t last_column(std::size_t all) const {
    return in_fragment() ? limits().last : all;
  }
  constexpr bool works_on(std::size_t column) const {
    return !in_fragment() || (column >= limits().first && column < limits().last);
  }

  /// Of a sum: whether a row of every node becomes it; whether rows of all nodes are in it.
  constexpr bool goes_to_all_nodes() const { return (flags & to_nodes) != 0; }
  constexpr bool sums_all_nodes() const { return b == 0; }
  /// The weight of each row in a sum over all nodes.
  constexpr double weight() const {
    return in_fragment() ? std::bit_cast<double>(count) : coefficient;
  }

  /// Of a train: whether `count` has a share of the data and a batch of it, or a batch of node a's.
  constexpr bool names_share() const { return (flags & of_share) != 0; }
  /// Of a train: the share whose samples it takes, and the batch of them, from 0 on.
  constexpr node share() const { return names_share() ? static_cast<node>(count >> 32) : a; }
  constexpr std::uint64_t batch() const { return names_share() ? count & 0xffffffffU : count; }
  static constexpr std::uint64_t of_batch(node share, std::uint32_t batch) {
    return std::uint64_t{share} << 32 | batch;
  }

  constexpr std::uint64_t step_number() const { return kind == operation_kind::train ? b : count; }
  /// Of a train: whether its gradient is left in a row of slot `code`, and not absorbed. Of a step:
  /// whether the optimizer absorbs that row first.
  constexpr bool names_gradient_row() const { return code != 0; }
  constexpr bool names_gradient_row_of_step() const {
    return kind == operation_kind::step && names_gradient_row();
  }
  /// Of a train: the slot at which the gradient is taken. Of a mix: the slot that is mixed.
  constexpr std::uint8_t slot() const { return rows[0].slot; }
  constexpr bool makes_scalar() const {
    return kind == operation_kind::reduce_rows || kind == operation_kind::compute;
  }
  /// Of reduce_rows: whether neither node need be the one that has the scalar.
  constexpr bool reduces_others() const { return (flags & of_others) != 0; }
  /// Of an operation that makes a scalar: the node that has it.
  constexpr node owner_of_scalar() const {
    return reduces_others() ? static_cast<node>(std::bit_cast<std::uint64_t>(coefficient)) : a;
  }
  /// Whether what it makes is there at the end of its stage only.
  constexpr bool ends_stage() const { return makes_scalar() || kind == operation_kind::whole_rows; }
  /// The number of the scalar that it makes.
  constexpr std::uint64_t scalar() const { return kind == operation_kind::compute ? b : count; }
};

static_assert(sizeof(operation) == 40);

/// Whether an operation calls a column function of the library.
template <column_function F>
constexpr bool applies(operation const &o) {
  return o.kind == operation_kind::columns && o.code == library_functions::number_of<F>;
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
