// The weights of a mixing matrix in the arithmetic type of an engine, such that mixing in float
// keeps the mean of the network.
//
// Weights that are cast one by one do not: nine weights 1/9 sum to 1 + 7e-9 in float, and products
// with a weight so near 1/9 are rounded up more often than down. All columns grow by 1.6e-8 a round
// together. So the weights of neighbours are cut to 18 of float's 24 significant bits, and the own
// weight of a node takes what that leaves:
//
//   - A row sums to what it sums to in double, exactly where the own weight is not more than 64
//     times the least of the others, else within half a unit in the last place of the own weight.
//   - A symmetric matrix stays symmetric, for equal weights are cut alike: columns sum to 1 too.
//   - Products of 18 and 24 bits are rounded up as often as down: mixing rows of equal weights with
//     1 to 32 neighbours, less than 3e-10 of the growth is left, as measured.
//   - The weight of a neighbour gets smaller by less than 2^-17 of itself.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/mixing/matrix.hpp>

namespace gossip {

namespace detail {

/// x cut to its leading significant bits.
constexpr double leading_bits(double x, int bits) {
  std::uint64_t const dropped =
      (std::uint64_t{1} << (std::numeric_limits<double>::digits - bits)) - 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~dropped);
}

}  // namespace detail

/// In the order of w.compressed().values: (entries). Each row, or each column where the matrix is
/// made of shares that are sent, keeps its sum. O(entries).
template <class T>
std::vector<T> cast_weights(mixing_matrix const &w) {
  constexpr int digits = std::numeric_limits<T>::digits;
  auto const [offsets, columns, values] = w.compressed();
  std::vector<T> cast(values.begin(), values.end());
  if constexpr (digits < std::numeric_limits<double>::digits) {
    bool const by_columns = w.sums() == stochastic::columns;
    std::vector<detail::compensated_sum> own(w.rows());
    std::vector<std::size_t> diagonal(w.rows());  // places
    for (std::size_t i = 0; i < w.rows(); ++i)
      for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        double const kept = columns[k] == i ? 0.0 : detail::leading_bits(values[k], digits - 6);
        if (columns[k] == i) diagonal[i] = k;
        cast[k] = static_cast<T>(kept);
        own[by_columns ? columns[k] : i].add(values[k] - kept);
      }
    for (std::size_t i = 0; i < w.rows(); ++i) cast[diagonal[i]] = static_cast<T>(own[i].value());
  }
  return cast;
}

}  // namespace gossip
