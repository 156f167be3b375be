// log, exp and cos from additions and multiplications only: the same bits on every processor.
// The C library's differ in the last bit from one processor to the next, and one bit can reorder
// the events of a plan. Relative error below 4 units in the last place on the ranges stated.
// Without branches, tables and conversions, so that compilers vectorise loops of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <gossip/core/math_flags.hpp>

namespace gossip::elementary {

inline constexpr double ln2 = 0.693147180559945309417232121458;
inline constexpr double pi = 3.141592653589793238462643383280;

/// c[0] + c[1] z + c[2] z^2 + ..., even and odd powers apart: two short chains of operations
/// instead of a long one.
template <std::size_t N>
constexpr double polynomial(double const (&c)[N], double z) {
  double const square = z * z;
  double even = c[(N - 1) / 2 * 2];
  for (std::size_t k = (N - 1) / 2 * 2; k >= 2; k -= 2) even = even * square + c[k - 2];
  double odd = c[N / 2 * 2 - 1];
  for (std::size_t k = N / 2 * 2 - 1; k >= 3; k -= 2) odd = odd * square + c[k - 2];
  return even + z * odd;
}

/// A whole number below 2^52 as a double. Where the processor has no vector instruction for it,
/// loops with a conversion are not vectorised; they are with this.
constexpr double whole(std::uint64_t n) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(0x1p52) | n) - 0x1p52;
}

/// Natural logarithm of a positive normal number.
/// x = m 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh((m - 1) / (m + 1)), by its odd series.
constexpr double log(double x) {
  constexpr double series[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                               1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  constexpr std::uint64_t least = 1024;  // added to e, so that it is never below zero
  auto const bits = std::bit_cast<std::uint64_t>(x);
  std::uint64_t const above = bits - 0x3fe6a09e667f3bcdULL;  // sqrt(1/2)
  std::uint64_t const exponent = (above + (least << 52)) >> 52;
  double const m = std::bit_cast<double>(bits - ((exponent - least) << 52));
  double const s = (m - 1.0) / (m + 1.0);  // |s| < 0.1716
  double const z = s * s;
  return (whole(exponent) - least) * ln2 + 2.0 * (s + s * (z * polynomial(series, z)));
}

/// Exponential, |x| < 700. x = k ln 2 + r with |r| <= ln(2) / 2, e^r by its series.
constexpr double exp(double x) {
  constexpr double ln2_high = 6.93147180369123816490e-01;  // trailing zeros: k * ln2_high is exact
  constexpr double ln2_low = 1.90821492927058770002e-10;
  constexpr double series[] = {1.0,
                               1.0,
                               1.0 / 2,
                               1.0 / 6,
                               1.0 / 24,
                               1.0 / 120,
                               1.0 / 720,
                               1.0 / 5040,
                               1.0 / 40320,
                               1.0 / 362880,
                               1.0 / 3628800,
                               1.0 / 39916800,
                               1.0 / 479001600,
                               1.0 / 6227020800.0};
  constexpr double integers =
      0x1.8p52;  // doubles of this size are whole numbers: k in the last bits
  double const shifted = x * (1.0 / ln2) + integers;
  double const k = shifted - integers;
  double const r = (x - k * ln2_high) - k * ln2_low;
  std::uint64_t const scale = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return polynomial(series, r) * std::bit_cast<double>(scale);
}

/// cos(2 pi t) for t in [0, 1): folded to an eighth of a turn, then the series of sin or cos.
constexpr double cos_turn(double t) {
  constexpr double cosine[] = {1.0,
                               -1.0 / 2,
                               1.0 / 24,
                               -1.0 / 720,
                               1.0 / 40320,
                               -1.0 / 3628800,
                               1.0 / 479001600,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0};
  constexpr double sine[] = {1.0,
                             -1.0 / 6,
                             1.0 / 120,
                             -1.0 / 5040,
                             1.0 / 362880,
                             -1.0 / 39916800,
                             1.0 / 6227020800.0,
                             -1.0 / 1307674368000.0,
                             1.0 / 355687428096000.0};
  double const half = std::min(t, 1.0 - t);
  double const quarter = std::min(half, 0.5 - half);  // cos(2 pi t) = -cos(2 pi (1/2 - t))
  double const eighth = std::min(quarter, 0.25 - quarter);
  double const a = 2.0 * pi * eighth;  // 0 <= a <= pi / 4
  // Both series, then selected by bits: branches would be guessed wrong half the time.
  auto const by_sine = std::bit_cast<std::uint64_t>(a * polynomial(sine, a * a));
  auto const by_cosine = std::bit_cast<std::uint64_t>(polynomial(cosine, a * a));
  std::uint64_t const of_sine = 0 - std::uint64_t{quarter > 0.125};
  std::uint64_t const sign = std::uint64_t{half > 0.25} << 63;
  return std::bit_cast<double>(((by_sine & of_sine) | (by_cosine & ~of_sine)) ^ sign);
}

}  // namespace gossip::elementary
