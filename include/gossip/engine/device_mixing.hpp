// X <- W X on a device: panels of columns, one panel of scratch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/engine/device_matrix.hpp>
#include <gossip/engine/device_program.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// Launches are kept from a matrix's second use on.
template <class T, class Row, class Backend>
class device_mixing {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  explicit device_mixing(std::size_t nodes)
      : panel_(device_panel(nodes)), scratch_(nodes * panel_), writes_(rounds ? nodes : 0) {}

  static std::size_t bytes(std::size_t nodes) {
    return nodes * (device_panel(nodes) * sizeof(T) + rounds * sizeof(row_write));
  }

  /// All parameter rows (n,d) <- W rows; writes (n), or none where rows are not rounded.
  void run(Backend const &backend, op::mixing_rows<T> const &w, device_op::rows<Row> const &rows,
           std::size_t d, std::span<row_write const> writes) {
    if constexpr (rounds) backend.upload(writes_.data(), writes.data(), writes.size());
    if (matrix_.is(w)) return backend.replay(kept_, [&] { launch(backend, rows, d); });
    matrix_.take(backend, w);
    kept_ = {};
    launch(backend, rows, d);
  }

 private:
  static constexpr bool rounds = row_writes<Row, T>::rounds;

  void launch(Backend const &backend, device_op::rows<Row> const &rows, std::size_t d) const {
    std::size_t const n = matrix_.rows();
    row_write const *const writes = rounds ? writes_.data() : nullptr;
    for (std::size_t first = 0; first < d; first += panel_) {
      std::size_t const width = std::min(panel_, d - first);
      backend.launch(n * width, device_op::copy_panel<T, Row>{rows, scratch_.data(), first, width});
      backend.launch(n * width, matrix_.mixes(rows, scratch_.data(), writes, first, width));
    }
  }

  std::size_t panel_;
  buffer<T> scratch_;  // (n, panel)
  buffer<row_write> writes_;
  device_matrix<T, Backend> matrix_;
  typename Backend::recording kept_;
};

}  // namespace gossip
