// The columns behind the trainable ones: statistics of a batch that a gradient carries, and that a
// step moves the row towards.
#pragma once

#include <cstddef>

namespace gossip {

/// x <- x + share (statistic - x), PyTorch's rule for running statistics, in an optimizer's form.
/// A statistic that waits does so in the optimizer's first row, where it has one.
template <class T, std::size_t Rows>
struct running_statistics {
  static constexpr T share = static_cast<T>(0.1);

  static constexpr void absorb(T statistic, T, T *row) {
    if constexpr (Rows > 0) row[0] = statistic;
  }
  static constexpr void step(T &x, T const *row) {
    if constexpr (Rows > 0) x += share * (row[0] - x);
  }
  static constexpr void absorb_and_step(T statistic, T &x, T *row) {
    absorb(statistic, x, row);
    x += share * (statistic - x);
  }
};

}  // namespace gossip
