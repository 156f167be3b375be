// X <- W X on a device: panels of columns, one panel of scratch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/engine/device_program.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// The matrix used last, in device memory, and the scratch.
template <class T, class Backend>
class device_mixing {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  explicit device_mixing(std::size_t nodes) : panel_(panel(nodes)), scratch_(nodes * panel_) {}

  static std::size_t bytes(std::size_t nodes) { return nodes * panel(nodes) * sizeof(T); }

  /// All parameter rows (n,d) <- W rows.
  void run(Backend const &backend, op::mixing_rows<T> const &w, device_op::rows<T> const &rows,
           std::size_t d) {
    if (matrix_ != &w) upload(backend, w);
    std::size_t const n = w.offsets.size() - 1;
    for (std::size_t first = 0; first < d; first += panel_) {
      std::size_t const width = std::min(panel_, d - first);
      backend.launch(n * width, device_op::copy_panel<T>{rows, scratch_.data(), first, width});
      backend.launch(n * width,
                     device_op::mix_panel<T>{rows, offsets_.data(), neighbors_.data(),
                                             weights_.data(), scratch_.data(), first, width});
    }
  }

 private:
  /// Columns of a panel: four million numbers of scratch, but whole cache lines.
  static std::size_t panel(std::size_t nodes) {
    return std::max<std::size_t>(32, (std::size_t{1} << 22) / nodes);
  }

  void upload(Backend const &backend, op::mixing_rows<T> const &w) {
    offsets_ = buffer<std::size_t>(w.offsets.size());
    neighbors_ = buffer<std::uint32_t>(w.columns.size());
    weights_ = buffer<T>(w.values.size());
    backend.upload(offsets_.data(), w.offsets.data(), w.offsets.size());
    backend.upload(neighbors_.data(), w.columns.data(), w.columns.size());
    backend.upload(weights_.data(), w.values.data(), w.values.size());
    matrix_ = &w;
  }

  std::size_t panel_;
  buffer<T> scratch_;  // (n, panel)
  buffer<std::size_t> offsets_;
  buffer<std::uint32_t> neighbors_;
  buffer<T> weights_;
  op::mixing_rows<T> const *matrix_ = nullptr;
};

}  // namespace gossip
