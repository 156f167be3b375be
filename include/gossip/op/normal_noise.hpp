// Normal numbers added to a row, or in its place.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gossip/core/elementary.hpp>
#include <gossip/op/column_words.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// x_0 <- c_0 x_0 + c_1 z with z of independent standard normal numbers, by G. Box and M. Muller
/// 1958: two columns from two random words of 32 bits, so that |z| < 6.8. c_2 is the draw that keys
/// the words.
struct normal_noise {
  static constexpr std::size_t rows = 1, coefficients = 3;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const row = x[0];
    double const kept = c[0], deviation = c[1];
    with_words(team, columns, c[2],
               [=](std::size_t first, std::size_t last, std::uint32_t const *words) {
                 for (std::size_t i = first; i < last; ++i) {
                   double const added = deviation * normal(words + (i - first) / 2 * 2, i % 2);
                   row[i] = static_cast<T>(kept * static_cast<double>(row[i]) + added);
                 }
               });
  }

 private:
  /// The first or the second number of a pair of words.
  static constexpr double normal(std::uint32_t const *pair, std::size_t which) {
    double const above_0 = (static_cast<double>(pair[0]) + 0.5) * 0x1p-32;
    double const turn = static_cast<double>(pair[1]) * 0x1p-32;
    double const quarter = turn < 0.25 ? turn + 0.75 : turn - 0.25;  // its cosine is the sine
    return std::sqrt(-2.0 * elementary::log(above_0)) *
           elementary::cos_turn(which == 0 ? turn : quarter);
  }
};
static_assert(whole_row_function<normal_noise>);

}  // namespace gossip::op
