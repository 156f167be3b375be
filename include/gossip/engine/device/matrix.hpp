// A mixing matrix in device memory: the one used last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/engine/device/program.hpp>
#include <gossip/engine/device/tiles.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Columns of a tile of so many rows: four million numbers of scratch, but whole cache lines.
constexpr std::size_t device_tile(std::size_t rows) {
  std::size_t const columns = (std::size_t{1} << 22) / std::max<std::size_t>(rows, 1);
  return std::max<std::size_t>(32, columns / 32 * 32);
}

/// The launches of a mixture of one slot: by one function, of columns first to last.
template <class Backend>
struct recorded_mixture {
  std::uint16_t code = 0;
  std::size_t first = 0, last = 0;  // nothing was launched where they are the same
  typename Backend::recording launches{};

  bool repeats(operation const &mix, std::size_t end) const {
    return first < last && code == mix.mix().function && first == mix.first_column() && last == end;
  }
};

template <class T, class Backend>
class device_matrix {
  template <class V>
  using buffer = typename Backend::template buffer<V>;

 public:
  /// Whether it is the one that is there already; what was launched with it may be repeated then.
  bool is(op::mixing_rows<T> const &w) const { return rows_ > 0 && identity_ == w.identity; }

  void take(Backend const &backend, op::mixing_rows<T> const &w) {
    if (is(w)) return;
    if (offsets_.size() < w.offsets.size()) offsets_ = buffer<std::size_t>(w.offsets.size());
    if (neighbors_.size() < w.columns.size()) {
      neighbors_ = buffer<std::uint32_t>(2 * w.columns.size());
      weights_ = buffer<T>(2 * w.values.size());
    }
    backend.upload(offsets_.data(), w.offsets.data(), w.offsets.size());
    backend.upload(neighbors_.data(), w.columns.data(), w.columns.size());
    backend.upload(weights_.data(), w.values.data(), w.values.size());
    identity_ = w.identity;
    rows_ = w.rows();
  }

  std::size_t rows() const { return rows_; }

  /// Columns first to first + width of the matrix's rows of `all`, from scratch (columns, width);
  /// to be launched for every row and column. writes (rows), or null where nothing is rounded; mix:
  /// the operation, which gives the slot of these rows and the number of the function.
  template <class Row>
  device_op::mix_tile<T, Row> mixes(device_op::rows<Row> const &all, T const *scratch,
                                    row_write const *writes, std::size_t first, std::size_t width,
                                    operation const &mix) const {
    return {all,   offsets_.data(), neighbors_.data(), weights_.data(),   scratch, writes,
            first, width,           mix.slot(),        mix.mix().function};
  }

 private:
  buffer<std::size_t> offsets_;
  buffer<std::uint32_t> neighbors_;
  buffer<T> weights_;
  std::uint64_t identity_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace gossip
