// Whole-row functions on a device: an operation a team of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/row_changes.hpp>
#include <gossip/op/row_tensors.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Nothing here waits, but to replace memory.
template <class T, class Row, class Backend>
class device_whole_rows {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  static constexpr bool rounds = !std::is_same_v<T, Row>;

 public:
  /// tensors: of the trainable part of a row.
  device_whole_rows(Backend const &backend, std::span<row_tensor const> tensors)
      : tensors_(tensors.size()), columns_(row_tensors(tensors).columns()) {
    backend.upload(tensors_.data(), tensors.data(), tensors.size());
  }

  /// Bytes of numbers beside rows in 16 bits, where so many operations come together.
  static constexpr std::size_t bytes(std::size_t columns, std::size_t count) {
    return rounds ? at_once(columns, count) * most_rows * columns * sizeof(T) : 0;
  }

  /// Operations that do not depend on each other, the ones on whole rows among them.
  void run(Backend const &backend, device_functions<T, Row, Backend> const &functions,
           device_op::rows<Row> const &rows, device_op::level_part const &level,
           device_op::given_numbers<T> const &given) {
    std::size_t const count = level.count;
    std::size_t const each = most_rows * columns_;
    row_tensors const tensors(std::span<row_tensor const>(tensors_.data(), tensors_.size()));
    std::size_t const most = rounds ? at_once(columns_, count) : count;
    if (rounds && numbers_.size() < most * each) {
      backend.wait();  // kernels at work may use the old ones
      numbers_ = buffer<T>(most * each);
    }
    for (std::size_t first = 0; first < count; first += most) {
      std::size_t const part = std::min(most, count - first);
      operation const *const own = level.operations + first;
      auto const copy = [&](auto back) {
        if constexpr (rounds)
          backend.launch(part * each,
                         device_op::copy_rows<T, Row, back()>{rows, own, level.writes + first,
                                                              numbers_.data(), columns_});
      };
      copy(std::false_type{});
      functions.change_rows(backend, part, {rows, own, given, numbers_.data(), tensors});
      copy(std::true_type{});
    }
  }

 private:
  static constexpr std::size_t budget = std::size_t{1} << 22;  // numbers at a time

  /// Operations of so many whose numbers are there at a time.
  static constexpr std::size_t at_once(std::size_t columns, std::size_t count) {
    return std::min(std::max<std::size_t>(budget / (most_rows * columns), 1), count);
  }

  buffer<row_tensor> tensors_;
  std::size_t columns_;
  buffer<T> numbers_;
};

}  // namespace gossip
