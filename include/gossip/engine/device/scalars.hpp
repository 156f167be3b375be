// Scalars of a window on a device: their values, and the operations that make them.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/row_sums.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/scalar_handle.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Nothing here waits, but to replace memory.
template <class T, class Row, class Backend>
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
  void run(Backend const &backend, device_functions<T, Row, Backend> const &functions,
           device_op::rows<Row> const &rows, operation const *operations, std::size_t count,
           std::size_t columns) {
    std::size_t const blocks = tree::blocks(columns), each = blocks * tree::lanes;
    std::size_t const most = at_once(columns, count);
    reserve(backend, sums_, most * each);
    for (std::size_t first = 0; first < count; first += most) {
      std::size_t const part = std::min(most, count - first);
      functions.sum_rows(backend, part,
                         {rows, operations + first, sums_.data(), columns, blocks, values_.data()});
    }
    functions.compute_scalars(backend, count, {operations, operands_.data(), values_.data()});
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
