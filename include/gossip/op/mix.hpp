// X <- W X on a panel of columns, in place: each weight of the network is read once and written
// once, with one panel of scratch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gossip/core/view.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// W in compressed rows with coefficients in the arithmetic type; columns ascend in every row.
template <class T>
struct mixing_rows {
  std::vector<std::size_t> offsets;    // (n + 1)
  std::vector<std::uint32_t> columns;  // (entries)
  std::vector<T> values;               // (entries)
};

/// to[c] = sum_k values[k] * from[columns[k] * from_stride + c], k ascending, for width columns.
template <class T>
void combine_rows(T const *values, std::uint32_t const *columns, std::size_t entries, T const *from,
                  std::size_t from_stride, std::size_t width, T *to) {
  constexpr std::size_t block = 256 / sizeof(T);
  for (std::size_t begin = 0; begin < width; begin += block) {
    std::size_t const count = std::min(block, width - begin);
    T sum[block];
    T const *const first = from + columns[0] * from_stride + begin;
    if (count == block) {
      for (std::size_t c = 0; c < block; ++c) sum[c] = values[0] * first[c];
      for (std::size_t k = 1; k < entries; ++k) {
        T const *const row = from + columns[k] * from_stride + begin;
        for (std::size_t c = 0; c < block; ++c) sum[c] += values[k] * row[c];
      }
      for (std::size_t c = 0; c < block; ++c) to[begin + c] = sum[c];
    } else {
      for (std::size_t c = 0; c < count; ++c) sum[c] = values[0] * first[c];
      for (std::size_t k = 1; k < entries; ++k) {
        T const *const row = from + columns[k] * from_stride + begin;
        for (std::size_t c = 0; c < count; ++c) sum[c] += values[k] * row[c];
      }
      for (std::size_t c = 0; c < count; ++c) to[begin + c] = sum[c];
    }
  }
}

/// Columns first to last of x (n,d) <- W x. scratch (n, last - first) rounded up to whole lines.
template <class T>
void mix_panel(mixing_rows<T> const &w, rows_view<T> x, std::size_t first, std::size_t last,
               T *scratch) {
  std::size_t const width = last - first;
  std::size_t const n = w.offsets.size() - 1;
  std::size_t const stride = (width + lane_group - 1) / lane_group * lane_group;
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(scratch + i * stride, x.data + i * x.stride + first, width * sizeof(T));
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const at = w.offsets[i];
    combine_rows(&w.values[at], &w.columns[at], w.offsets[i + 1] - at, scratch, stride, width,
                 x.data + i * x.stride + first);
  }
}

}  // namespace gossip::op
