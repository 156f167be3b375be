// X <- W X on a device: by teams whose memory has room for some columns of all rows, else in tiles
// of columns, one tile of scratch.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <gossip/engine/device/functions.hpp>
#include <gossip/engine/device/matrix.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/tiles.hpp>
#include <gossip/op/mix.hpp>

namespace gossip {

/// Launches are kept from a matrix's second use on.
template <class T, class Row, class Backend>
class device_mixing {
  template <class V>
  using buffer = typename Backend::template buffer<V>;
  using functions_type = device_functions<T, Row, Backend>;

 public:
  explicit device_mixing(std::size_t nodes)
      : tile_(device_tile(nodes)), scratch_(nodes * tile_), writes_(rounds ? nodes : 0) {}

  static std::size_t bytes(std::size_t nodes) {
    return nodes * (device_tile(nodes) * sizeof(T) + rounds * sizeof(row_write));
  }

  /// All rows of the slot (n,d) that an operation mixes, or their fragment that ends at d; writes
  /// (n), or none where rows are not rounded.
  void run(Backend const &backend, functions_type const &functions, op::mixing_rows<T> const &w,
           device_op::rows<Row> const &rows, operation const &mix, std::size_t d,
           std::span<row_write const> writes) {
    if constexpr (rounds) backend.upload(writes_.data(), writes.data(), writes.size());
    if (!matrix_.is(w)) {
      matrix_.take(backend, w);
      for (auto &kept : kept_) kept = {};
    } else if (kept_[mix.slot()].repeats(mix, d)) {
      return backend.replay(kept_[mix.slot()].launches,
                            [&] { launch(backend, functions, rows, mix, d); });
    }
    kept_[mix.slot()] = {mix.mix().function, mix.first_column(), d, {}};
    launch(backend, functions, rows, mix, d);
  }

 private:
  static constexpr bool rounds = row_writes<Row, T>::rounds;

  void launch(Backend const &backend, functions_type const &functions,
              device_op::rows<Row> const &all, operation const &mix, std::size_t d) const {
    device_op::rows<Row> const rows = device_op::with_slot(all, mix.slot());
    std::size_t const n = matrix_.rows(), begin = mix.first_column();
    row_write const *const writes = rounds ? writes_.data() : nullptr;
    if (functions.mix_by_teams(backend, n,
                               matrix_.mixes(rows, nullptr, writes, begin, d - begin, mix)))
      return;
    for (std::size_t first = begin; first < d; first += tile_) {
      std::size_t const width = std::min(tile_, d - first);
      backend.launch(n * width, device_op::copy_tile<T, Row>{rows, scratch_.data(), first, width});
      functions.mix(backend, n, matrix_.mixes(rows, scratch_.data(), writes, first, width, mix));
    }
  }

  std::size_t tile_;
  buffer<T> scratch_;  // (n, tile)
  buffer<row_write> writes_;
  device_matrix<T, Backend> matrix_;
  std::array<recorded_mixture<Backend>, row_list::most_slots> kept_;
};

}  // namespace gossip
