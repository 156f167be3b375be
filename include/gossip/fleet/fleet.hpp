// The rows of all nodes: one matrix a slot, node-major and contiguous, with a size known
// beforehand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>

namespace gossip {

/// What a fleet holds and what that takes.
struct fleet_size {
  std::size_t nodes;
  std::size_t parameters;      ///< d
  std::size_t optimizer_rows;  ///< rows a node beside its parameters
  bool shared;                 ///< one set of rows serves all nodes

  /// Slot 0 holds parameters, the others what the optimizer keeps.
  constexpr std::size_t slots() const { return 1 + optimizer_rows; }
  constexpr std::size_t rows() const { return shared ? 1 : nodes; }

  /// Numbers from one row to the next: whole cache lines, and never whole pages, so that a column
  /// of all rows does not fall on one set of the cache.
  template <class T>
  constexpr std::size_t stride() const {
    std::size_t const line = 64 / sizeof(T);
    std::size_t const lines = (parameters + line - 1) / line;
    return (lines % 64 == 0 ? lines + 1 : lines) * line;
  }

  template <class T>
  constexpr std::size_t bytes() const {
    return slots() * rows() * stride<T>() * sizeof(T);
  }
};

/// Owns the rows, zeroed. Buffer is the backend's memory.
template <class T, template <class> class Buffer>
class fleet {
 public:
  explicit fleet(fleet_size size) : size_(size), stride_(size.template stride<T>()) {
    for (std::size_t s = 0; s < size.slots(); ++s) slots_.emplace_back(size.rows() * stride_);
  }

  fleet_size const &size() const { return size_; }
  std::size_t stride() const { return stride_; }

  /// The matrix of a slot, (rows, d).
  rows_view<T> slot(std::size_t s) const {
    return {slots_[s].data(), size_.rows(), size_.parameters, stride_};
  }

  /// Row of node i in a slot; a shared fleet has one for all.
  T *row(std::size_t s, node i) const {
    return slots_[s].data() + (size_.shared ? 0 : i) * stride_;
  }
  T *parameters(node i) const { return row(0, i); }

 private:
  fleet_size size_;
  std::size_t stride_;
  std::vector<Buffer<T>> slots_;
};

/// A number as an element of a row: itself, or the nearest in the format of 16 bits.
template <class Row, class T>
constexpr Row as_element(T number) {
  if constexpr (std::is_same_v<Row, T>)
    return number;
  else
    return Row::holding(static_cast<float>(rounded<Row>(number)));
}

/// Gives every node of a fleet in host memory the same parameters and zeros elsewhere; every page
/// has its memory from then on, so that a run does not stop for it.
template <class Row, template <class> class Buffer, class Backend, class T>
void start_all(fleet<Row, Buffer> const &rows, Backend const &backend, std::span<T const> start) {
  std::vector<Row> row(start.size());
  for (std::size_t c = 0; c < row.size(); ++c) row[c] = as_element<Row>(start[c]);
  backend.for_each(rows.size().rows(), [&](std::size_t, std::size_t i) {
    auto const own = static_cast<node>(i);
    std::copy(row.begin(), row.end(), rows.parameters(own));
    for (std::size_t s = 1; s < rows.size().slots(); ++s)
      std::fill_n(rows.row(s, own), rows.size().parameters, Row{});
  });
}

}  // namespace gossip
