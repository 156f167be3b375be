// Operations that end a stage, on a device: those that make scalars, and those on whole rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/scalars.hpp>
#include <gossip/engine/device/whole_rows.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// Both of them, and the scalars of a window. Nothing here waits, but to replace memory.
template <class T, class Row, class Backend>
class device_stages {
 public:
  /// tensors: of the trainable part of a row.
  device_stages(Backend const &backend, std::span<row_tensor const> tensors)
      : columns_(row_tensors(tensors).columns()), whole_rows_(backend, tensors) {}

  void begin(Backend const &backend, plan_window const &window) { scalars_.begin(backend, window); }

  /// Inputs of the window's operations besides their rows.
  device_op::given_numbers<T> beside(T const *coefficients) const {
    return scalars_.beside(coefficients);
  }

  /// The last operations of a stage, and the same in device memory.
  void run(Backend const &backend, device_functions<T, Row, Backend> const &functions,
           device_op::rows<Row> const &rows, std::span<operation const> operations,
           device_op::level_part const &there) {
    auto const any = [&](bool scalars) {
      return std::ranges::any_of(operations,
                                 [=](operation const &o) { return o.makes_scalar() == scalars; });
    };
    if (any(true)) scalars_.run(backend, functions, rows, there.operations, there.count, columns_);
    if (any(false)) whole_rows_.run(backend, functions, rows, there, beside(nullptr));
  }

 private:
  std::size_t columns_;
  device_scalars<T, Row, Backend> scalars_;
  device_whole_rows<T, Row, Backend> whole_rows_;
};

}  // namespace gossip
