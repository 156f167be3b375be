// Sums of columns of many rows that do not depend on their order, each addend rounded to a multiple
// of a grid that follows from the largest. After J. Demmel, H. D. Nguyen, "Parallel reproducible
// summation", IEEE Trans. Computers 2015.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/core/bits.hpp>
#include <gossip/core/view.hpp>

namespace gossip::detail {

/// Columns that share one grid; fixed, since the grid is part of the result.
inline constexpr std::size_t grid_columns = 512;

/// The size of a number as an integer, in the order of sizes, numbers that are not finite last: its
/// maximum over a loop is one of vectors.
template <class T>
auto bits_of_size(T x) {
  if constexpr (sizeof(T) == sizeof(std::uint32_t))
    return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffU);
  else
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(x)) &
                                     0x7fffffffffffffffU);
}
template <class T>
using size_bits = decltype(bits_of_size(T{}));

/// The number of such a size; infinity where it is not finite.
template <class Bits>
double size_of_bits(Bits bits) {
  double size = 0;
  if constexpr (sizeof(Bits) == sizeof(float))
    size = static_cast<double>(std::bit_cast<float>(bits));
  else
    size = std::bit_cast<double>(bits);
  return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
}

/// The largest |x| of columns first to last over some rows; infinity where one is not finite.
template <class T>
double largest_of_tile(rows_view<T const> rows, std::size_t first, std::size_t last) {
  size_bits<T> largest = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    auto const *const x = rows[i].data();
    for (std::size_t c = first; c < last; ++c) largest = std::max(largest, bits_of_size(x[c]));
  }
  return size_of_bits(largest);
}

/// A multiple of the grid has so many bits, that sums of n stay below 2^63.
inline int bits_of_addends(std::size_t n) {
  return std::min(51, 62 - static_cast<int>(bit_width(n)));
}

/// Addends of n nodes are rounded to multiples of one over this: 2^s with largest 2^s <
/// 2^bits_of_addends(n), by less than a factor of 4 where s is below 1023, so that rows which
/// differ a little have one grid. A mean of rows in 32 or 16 bits is off by at most largest 2^-50
/// before it is rounded, below 2,000 nodes; where all are the same x, it is x if |x| is above
/// largest 2^-26.
inline double grid_of(double largest, std::size_t n) {
  int exponent = 0;
  std::frexp(largest, &exponent);  // largest < 2^exponent
  exponent += exponent & 1;
  return std::ldexp(1.0, std::min(bits_of_addends(n) - exponent, 1023));
}

/// Sums of columns as integers, which do not depend on the order of rows: multiples of the grid,
/// and of rows in double what is left of them, as multiples of the grid's 2^-bits_of_addends(n).
/// The integer next to a number below 2^51 is in the last bits of its sum with 3/2 2^52: few
/// processors convert vectors to integers of 64 bits, and all of them add.
template <class Row>
class column_sums {
 public:
  static constexpr std::size_t parts = sizeof(Row) > sizeof(float) ? 2 : 1;

  /// sums (parts, stride) as below.
  column_sums(std::int64_t *sums, std::size_t stride) : sums_(sums), stride_(stride) {}

  /// Says that so many rows will be added to columns first to last.
  void begin(std::size_t rows, std::size_t first, std::size_t last) const {
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t c = first; c < last; ++c)
        add(p, c, 0 - rows * std::bit_cast<std::uint64_t>(shift));
  }

  /// Adds columns of `Together` rows, which is quicker for several; returns the largest size.
  template <std::size_t Together>
  size_bits<Row> add_rows(Row const *const *rows, std::size_t first, std::size_t columns,
                          double grid, double finer) const {
    size_bits<Row> largest = 0;
    Row const *x[Together];
    std::copy_n(rows, Together, x);
    std::int64_t *const sums = sums_ + first, *const rests = sums + (parts - 1) * stride_;
    for (std::size_t c = 0; c < columns; ++c) {
      std::uint64_t sum = 0, rest = 0;
      for (std::size_t r = 0; r < Together; ++r) {
        double const multiple = static_cast<double>(x[r][c]) * grid;
        double const shifted = multiple + shift;
        sum += std::bit_cast<std::uint64_t>(shifted);
        if constexpr (parts == 2)
          rest += std::bit_cast<std::uint64_t>((multiple - (shifted - shift)) * finer + shift);
        largest = std::max(largest, bits_of_size(x[r][c]));
      }
      sums[c] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[c]) + sum);
      if constexpr (parts == 2)
        rests[c] = static_cast<std::int64_t>(static_cast<std::uint64_t>(rests[c]) + rest);
    }
    return largest;
  }

  /// mean[c] of columns from their sums; not a number where an addend was not finite.
  template <class T>
  void finish(std::size_t first, std::size_t columns, double largest, std::size_t n,
              T *mean) const {
    if (!std::isfinite(largest))
      return void(std::fill_n(mean, columns, std::numeric_limits<T>::quiet_NaN()));
    double const grid = grid_of(largest, n), unit = std::ldexp(1.0, -bits_of_addends(n));
    for (std::size_t c = 0; c < columns; ++c) {
      auto sum = static_cast<double>(sums_[first + c]);
      if constexpr (parts == 2) sum += static_cast<double>(sums_[stride_ + first + c]) * unit;
      mean[c] = static_cast<T>(sum / static_cast<double>(n) / grid);
    }
  }

 private:
  static constexpr double shift = 0x1.8p52;

  void add(std::size_t part, std::size_t c, std::uint64_t more) const {
    std::int64_t &sum = sums_[part * stride_ + c];
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + more);
  }

  std::int64_t *sums_;
  std::size_t stride_;
};

/// f(Together, i): rows from i on go together, four by four and what is left one by one.
template <class F>
void by_fours(std::size_t rows, F f) {
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) f(std::integral_constant<std::size_t, 4>{}, i);
  for (; i < rows; ++i) f(std::integral_constant<std::size_t, 1>{}, i);
}

/// Adds columns first to last of some rows of n to sums from `at` on.
template <class Row>
void add_tile(rows_view<Row const> rows, std::size_t first, std::size_t last, double grid,
              std::size_t n, column_sums<Row> sums, std::size_t at) {
  std::size_t const columns = last - first;
  double const finer = std::ldexp(1.0, bits_of_addends(n));
  sums.begin(rows.rows, at, at + columns);
  by_fours(rows.rows, [&](auto together, std::size_t i) {
    Row const *x[together()];
    for (std::size_t r = 0; r < together(); ++r) x[r] = rows[i + r].data() + first;
    sums.template add_rows<together()>(x, at, columns, grid, finer);
  });
}

}  // namespace gossip::detail
