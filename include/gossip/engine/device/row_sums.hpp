// Scalars of a window as functions of one number, for devices: sums of terms of rows, and scalars
// of scalars. Functions: the lists that codes count in.
#pragma once

#include <cstddef>

#include <gossip/engine/device/program.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/row_reduction.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/scalar_handle.hpp>

namespace gossip::device_op {

using tree = op::reduction_tree;

/// Sums (count, blocks, lanes) of the terms of operations that reduce rows, and their values: first
/// of every lane, then of every block, whose first lane it becomes, then of the operation.
template <class Row>
struct row_sums {
  rows<Row> all;
  operation const *operations;  // (count)
  double *sums;
  std::size_t columns, blocks;
  double *values;
};

/// Operations that compute scalars of scalars.
struct scalar_program {
  operation const *operations;  // (count)
  operand const *operands;      // of the window
  double *values;
};

/// Sums the terms of a lane; index counts (operation, block, lane).
template <class T, class Row, class Functions>
struct sum_lanes {
  row_sums<Row> what;

  constexpr void operator()(std::size_t index) const {
    auto const [piece, lane] = op::split_index(index, tree::lanes);
    auto const [k, b] = op::split_index(piece, what.blocks);
    operation const &o = what.operations[k];
    if (o.kind() != operation_kind::reduce_rows) return;
    work::reduce_rows const &own = o.reduce_rows();
    Row const *from[most_rows]{};
    std::size_t const named = o.rows.size();
    for (std::size_t r = 0; r < named; ++r) {
      row_access const one = o.rows[r];
      from[r] = what.all.at(one.slot, one.of_second ? own.b : o.a);
    }
    std::size_t const first = b * tree::block;
    std::size_t const end = first + tree::block, last = end < what.columns ? end : what.columns;
    op::term_fold const fold = Functions::reductions::fold(own.function);
    double sum = fold.none();
    for (std::size_t c = first + lane; c < last; c += tree::lanes) {
      T column[most_rows]{};
      for (std::size_t r = 0; r < named; ++r) column[r] = static_cast<T>(from[r][c]);
      sum = fold(sum, Functions::reductions::call(own.function, column));
    }
    what.sums[index] = sum;
  }
};

/// Adds the lanes of a block; index counts (operation, block).
template <class Row, class Functions>
struct add_lanes {
  row_sums<Row> what;

  constexpr void operator()(std::size_t k) const {
    operation const &o = what.operations[op::split_index(k, what.blocks).quotient];
    if (o.kind() == operation_kind::reduce_rows)
      tree::add_lanes(what.sums + k * tree::lanes,
                      Functions::reductions::fold(o.reduce_rows().function));
  }
};

/// Adds the blocks of an operation; index counts operations.
template <class Row, class Functions>
struct add_blocks {
  row_sums<Row> what;

  constexpr void operator()(std::size_t k) const {
    operation const &o = what.operations[k];
    if (o.kind() != operation_kind::reduce_rows) return;
    double *const own = what.sums + k * what.blocks * tree::lanes;
    for (std::size_t b = 1; b < what.blocks; ++b) own[b] = own[b * tree::lanes];
    what.values[o.scalar()] =
        tree::add_blocks(own, what.blocks, Functions::reductions::fold(o.reduce_rows().function));
  }
};

/// Computes a scalar of scalars; index counts operations.
template <class Functions>
struct compute_scalars {
  scalar_program what;

  constexpr void operator()(std::size_t k) const {
    operation const &o = what.operations[k];
    if (o.kind() != operation_kind::compute) return;
    what.values[o.scalar()] = Functions::scalars::call(
        o.compute().function, what.operands + o.compute().operands, what.values);
  }
};

}  // namespace gossip::device_op
