// The cosine transform of many chunks of one length, whose cosines are computed once.
#pragma once

#include <array>
#include <cstddef>

#include <gossip/op/cosine_transform.hpp>

namespace gossip::op {

/// cosine_transform, to the bit, several times as quick; 256 KiB, for a thread of the host.
class cosine_table {
 public:
  static constexpr std::size_t most = 128;  ///< numbers of a chunk

  constexpr explicit cosine_table(std::size_t size) {
    for (std::size_t own = 0; own < size; ++own) {
      auto of_y = cosine_transform::of_frequency(size, own),
           of_x = cosine_transform::of_column(size, own);
      for (std::size_t term = 0; term < size; ++term) {
        forward_[term * size + own] = of_y.next();
        inverse_[term * size + own] = of_x.next();
      }
    }
  }

  /// y (size) of x (size), the size of the table.
  template <class T>
  constexpr void forward(std::size_t size, T const *x, T *y) const {
    std::array<double, most> sums{};
    for (std::size_t i = 0; i < size; ++i)
      add(size, static_cast<double>(x[i]), &forward_[i * size], sums);
    double const constant = cosine_transform::scale(size, 0),
                 wave = cosine_transform::scale(size, 1);
    for (std::size_t k = 0; k < size; ++k)
      y[k] = static_cast<T>((k == 0 ? constant : wave) * sums[k]);
  }

  /// x (size) of y (size); a number that is 0 takes no time.
  template <class T>
  constexpr void inverse(std::size_t size, T const *y, T *x) const {
    std::array<double, most> sums{};
    double const constant = cosine_transform::scale(size, 0),
                 wave = cosine_transform::scale(size, 1);
    for (std::size_t k = 0; k < size; ++k)
      if (y[k] != T{0})
        add(size, (k == 0 ? constant : wave) * static_cast<double>(y[k]), &inverse_[k * size],
            sums);
    for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<T>(sums[i]);
  }

 private:
  static constexpr void add(std::size_t size, double term, double const *cosines,
                            std::array<double, most> &sums) {
    for (std::size_t own = 0; own < size; ++own) sums[own] += term * cosines[own];
  }

  std::array<double, most * most> forward_, inverse_;  // (term, sum), one behind another
};

}  // namespace gossip::op
