// Scalars of a window on a device: their values, and the operations that make them.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/engine/device/program.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/scalar_handle.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

namespace device_op {

using tree = op::reduction_tree;

/// sums (count, blocks, lanes) of the terms of operations that reduce rows.
template <class T, class Row, class Functions>
struct sum_lanes {
  rows<Row> all;
  operation const *operations;  // (count)
  double *sums;
  std::size_t columns, blocks;

  constexpr void operator()(std::size_t index) const {
    auto const [piece, lane] = op::split_index(index, tree::lanes);
    auto const [k, b] = op::split_index(piece, blocks);
    operation const &o = operations[k];
    if (o.kind() != operation_kind::reduce_rows) return;
    work::reduce_rows const &own = o.reduce_rows();
    Row const *from[most_rows]{};
    std::size_t const named = o.rows.size();
    for (std::size_t r = 0; r < named; ++r) {
      row_access const one = o.rows[r];
      from[r] = all.at(one.slot, one.of_second ? own.b : o.a);
    }
    std::size_t const first = b * tree::block;
    std::size_t const last = first + tree::block < columns ? first + tree::block : columns;
    op::term_fold const fold = Functions::reductions::fold(own.function);
    double sum = fold.none();
    for (std::size_t c = first + lane; c < last; c += tree::lanes) {
      T column[most_rows]{};
      for (std::size_t r = 0; r < named; ++r) column[r] = static_cast<T>(from[r][c]);
      sum = fold(sum, Functions::reductions::call(own.function, column));
    }
    sums[index] = sum;
  }
};

/// The first lane of every block becomes the sum of its lanes.
template <class Functions>
struct add_lanes {
  operation const *operations;  // (count)
  double *sums;                 // (count, blocks, lanes)
  std::size_t blocks;

  constexpr void operator()(std::size_t k) const {
    operation const &o = operations[op::split_index(k, blocks).quotient];
    if (o.kind() == operation_kind::reduce_rows)
      tree::add_lanes(sums + k * tree::lanes,
                      Functions::reductions::fold(o.reduce_rows().function));
  }
};

/// Values of operations that reduce rows, of sums (count, blocks, lanes) whose first lanes are
/// those of their blocks.
template <class Functions>
struct add_blocks {
  operation const *operations;  // (count)
  double *sums;
  std::size_t blocks;
  double *values;

  constexpr void operator()(std::size_t k) const {
    operation const &o = operations[k];
    if (o.kind() != operation_kind::reduce_rows) return;
    double *const own = sums + k * blocks * tree::lanes;
    for (std::size_t b = 1; b < blocks; ++b) own[b] = own[b * tree::lanes];
    values[o.scalar()] =
        tree::add_blocks(own, blocks, Functions::reductions::fold(o.reduce_rows().function));
  }
};

/// Values of operations that compute scalars of scalars.
template <class Functions>
struct compute_scalars {
  operation const *operations;  // (count)
  operand const *operands;      // of the window
  double *values;

  constexpr void operator()(std::size_t k) const {
    operation const &o = operations[k];
    if (o.kind() != operation_kind::compute) return;
    values[o.scalar()] =
        Functions::scalars::call(o.compute().function, operands + o.compute().operands, values);
  }
};

}  // namespace device_op

/// Functions: the lists that codes count in. Nothing here waits, but to replace memory.
template <class T, class Row, class Backend, class Functions>
class device_scalars {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using tree = op::reduction_tree;

 public:
  /// Bytes of sums, where so many operations come together.
  static constexpr std::size_t bytes(std::size_t columns, std::size_t count) {
    return 2 * at_once(columns, count) * tree::blocks(columns) * tree::lanes * sizeof(double);
  }

  /// Room for the scalars of a window, whose operands are there from now on.
  void begin(Backend const &backend, plan_window const &window) {
    if (window.operands.empty() && window.scalars == 0) return;
    reserve(backend, values_, window.scalars);
    reserve(backend, operands_, window.operands.size());
    backend.upload(operands_.data(), window.operands.data(), window.operands.size());
  }

  /// Inputs of the window's operations besides their rows.
  device_op::given_numbers<T> beside(T const *coefficients) const {
    return {coefficients, operands_.data(), values_.data()};
  }

  /// Operations in device memory (count) that make scalars and do not depend on each other, of rows
  /// with so many columns that count.
  void run(Backend const &backend, device_op::rows<Row> const &rows, operation const *operations,
           std::size_t count, std::size_t columns) {
    std::size_t const blocks = tree::blocks(columns), each = blocks * tree::lanes;
    std::size_t const most = at_once(columns, count);
    reserve(backend, sums_, most * each);
    for (std::size_t first = 0; first < count; first += most) {
      std::size_t const part = std::min(most, count - first);
      operation const *const own = operations + first;
      backend.launch(part * each, device_op::sum_lanes<T, Row, Functions>{rows, own, sums_.data(),
                                                                          columns, blocks});
      backend.launch(part * blocks, device_op::add_lanes<Functions>{own, sums_.data(), blocks});
      backend.launch(part,
                     device_op::add_blocks<Functions>{own, sums_.data(), blocks, values_.data()});
    }
    backend.launch(
        count, device_op::compute_scalars<Functions>{operations, operands_.data(), values_.data()});
  }

 private:
  static constexpr std::size_t budget = std::size_t{1} << 22;  // sums at a time

  /// Operations of so many whose sums are there at a time.
  static constexpr std::size_t at_once(std::size_t columns, std::size_t count) {
    std::size_t const each = std::max<std::size_t>(tree::blocks(columns) * tree::lanes, 1);
    return std::min(std::max<std::size_t>(budget / each, 1), count);
  }

  template <class V>
  static void reserve(Backend const &backend, buffer<V> &room, std::size_t count) {
    if (room.size() >= count) return;
    backend.wait();  // kernels at work may use the old one
    room = buffer<V>(2 * count);
  }

  buffer<double> values_, sums_;  // (scalars), (operations, blocks, lanes)
  buffer<operand> operands_;
};

}  // namespace gossip
