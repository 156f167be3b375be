// X <- W X on a device: panels of columns, one panel of scratch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/engine/device_program.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// The matrix used last, in device memory, and the scratch. Launches are kept from a matrix's
/// second use on.
template <class T, class Row, class Backend>
class device_mixing {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  explicit device_mixing(std::size_t nodes)
      : panel_(panel(nodes)), scratch_(nodes * panel_), writes_(rounds ? nodes : 0) {}

  static std::size_t bytes(std::size_t nodes) {
    return nodes * (panel(nodes) * sizeof(T) + rounds * sizeof(row_write));
  }

  /// All parameter rows (n,d) <- W rows; writes (n), or none where rows are not rounded.
  void run(Backend const &backend, op::mixing_rows<T> const &w, device_op::rows<Row> const &rows,
           std::size_t d, std::span<row_write const> writes) {
    if constexpr (rounds) backend.upload(writes_.data(), writes.data(), writes.size());
    if (matrix_ == &w) return backend.replay(kept_, [&] { launch(backend, rows, d); });
    upload(backend, w);
    kept_ = {};
    launch(backend, rows, d);
  }

 private:
  static constexpr bool rounds = row_writes<Row, T>::rounds;

  void launch(Backend const &backend, device_op::rows<Row> const &rows, std::size_t d) const {
    std::size_t const n = matrix_->rows();
    for (std::size_t first = 0; first < d; first += panel_) {
      std::size_t const width = std::min(panel_, d - first);
      backend.launch(n * width, device_op::copy_panel<T, Row>{rows, scratch_.data(), first, width});
      backend.launch(n * width,
                     device_op::mix_panel<T, Row>{rows, offsets_.data(), neighbors_.data(),
                                                  weights_.data(), scratch_.data(),
                                                  rounds ? writes_.data() : nullptr, first, width});
    }
  }

  /// Columns of a panel: four million numbers of scratch, but whole cache lines.
  static std::size_t panel(std::size_t nodes) {
    return std::max<std::size_t>(32, (std::size_t{1} << 22) / nodes);
  }

  void upload(Backend const &backend, op::mixing_rows<T> const &w) {
    if (offsets_.size() < w.offsets.size()) offsets_ = buffer<std::size_t>(w.offsets.size());
    if (neighbors_.size() < w.columns.size()) {
      neighbors_ = buffer<std::uint32_t>(2 * w.columns.size());
      weights_ = buffer<T>(2 * w.values.size());
    }
    backend.upload(offsets_.data(), w.offsets.data(), w.offsets.size());
    backend.upload(neighbors_.data(), w.columns.data(), w.columns.size());
    backend.upload(weights_.data(), w.values.data(), w.values.size());
    matrix_ = &w;
  }

  std::size_t panel_;
  buffer<T> scratch_;  // (n, panel)
  buffer<row_write> writes_;
  buffer<std::size_t> offsets_;
  buffer<std::uint32_t> neighbors_;
  buffer<T> weights_;
  op::mixing_rows<T> const *matrix_ = nullptr;
  typename Backend::recording kept_;
};

}  // namespace gossip
