// The two floating-point formats of 16 bits: how numbers are rounded to them, and how they lie in
// memory. IEEE 754-2019 binary16, and bfloat16, the upper half of a binary32.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace gossip {

namespace detail {

/// first where the condition holds, else second, both computed: without a branch loops vectorise.
template <class Integer>
constexpr Integer either(bool condition, Integer first, Integer second) {
  Integer const mask = Integer{0} - static_cast<Integer>(condition);
  return (first & mask) | (second & ~mask);
}

/// Places of a format's digits in a number of type T, which is taken as an integer.
template <class Format, class T>
struct places {
  using integer = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
  static constexpr int bias = sizeof(T) == 4 ? 127 : 1023;
  static constexpr int cut = mantissa - Format::mantissa;  // digits that the format has not

  static constexpr integer power_of_two(int exponent) {
    return static_cast<integer>(exponent + bias) << mantissa;
  }
  static constexpr T power(int exponent) { return std::bit_cast<T>(power_of_two(exponent)); }

  static constexpr integer sign = integer{1} << (8 * sizeof(T) - 1);
  static constexpr integer infinity = power_of_two(bias + 1);
  static constexpr integer below = (integer{1} << cut) - 1;
  static constexpr integer too_large = power_of_two(Format::highest) + (integer{1} << mantissa);
  static constexpr integer smallest_normal = power_of_two(Format::lowest);

  /// Whether numbers below the normal ones lie closer in T than in the format. Where they do not,
  /// the digits to cut are in the same places in all numbers.
  static constexpr bool has_coarse_end = Format::lowest > 1 - bias;
  /// The distance of two numbers of the format there.
  static constexpr int quantum = Format::lowest - Format::mantissa;

  /// The size after its digits were cut: infinity for a number beyond the largest, unchanged for
  /// what is not a number.
  static constexpr integer settled(integer cut_size, integer size) {
    integer const bounded = cut_size >= too_large ? infinity : cut_size;
    return size > infinity ? size : bounded;
  }
};

}  // namespace detail

/// The number of the format that is nearest to x, of two the one with an even last digit; infinity
/// beyond the largest.
template <class Format, class T>
constexpr T rounded(T x) {
  using p = detail::places<Format, T>;
  using integer = typename p::integer;
  integer const bits = std::bit_cast<integer>(x), size = bits & ~p::sign;
  integer near = (size + (p::below >> 1) + ((size >> p::cut) & 1)) & ~p::below;
  if constexpr (p::has_coarse_end) {
    constexpr T coarse = p::power(p::quantum + p::mantissa);  // a sum with it ends at the quantum
    integer const small = std::bit_cast<integer>((std::bit_cast<T>(size) + coarse) - coarse);
    near = detail::either(size < p::smallest_normal, small, near);
  }
  return std::bit_cast<T>(p::settled(near, size) | (bits & p::sign));
}

/// One of the two numbers of the format around x, so that the mean over all `random` is x, to 2^-16
/// of their distance; a number of the format stays what it is.
template <class Format, class T>
constexpr T rounded_at_random(T x, std::uint16_t random) {
  using p = detail::places<Format, T>;
  using integer = typename p::integer;
  integer const bits = std::bit_cast<integer>(x), size = bits & ~p::sign;
  integer const share = p::cut < 16 ? integer{random} >> (p::cut < 16 ? 16 - p::cut : 0)
                                    : integer{random} << (p::cut > 16 ? p::cut - 16 : 0);
  integer near = (size + share) & ~p::below;
  if constexpr (p::has_coarse_end) {
    integer const least = size < p::smallest_normal ? size : p::smallest_normal;
    T const quanta = std::bit_cast<T>(least) * p::power(-p::quantum);
    auto const whole = static_cast<std::int32_t>(quanta);
    auto const part = static_cast<std::int32_t>((quanta - static_cast<T>(whole)) * T(65536));
    T const small = static_cast<T>(whole + (part + random >= 65536)) * p::power(p::quantum);
    near = detail::either(size < p::smallest_normal, std::bit_cast<integer>(small), near);
  }
  return std::bit_cast<T>(p::settled(near, size) | (bits & p::sign));
}

/// A number of 16 bits in memory: sign, 8 bits of exponent, 7 of mantissa.
struct bf16 {
  static constexpr char const *name = "bf16";
  static constexpr int mantissa = 7, lowest = -126, highest = 127;

  std::uint16_t bits;

  /// x must be a number of the format.
  static constexpr bf16 holding(float x) {
    return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16)};
  }
  constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

/// A number of 16 bits in memory: sign, 5 bits of exponent, 10 of mantissa; 65504 is the largest.
struct fp16 {
  static constexpr char const *name = "fp16";
  static constexpr int mantissa = 10, lowest = -14, highest = 15;

  std::uint16_t bits;

  /// x must be a number of the format.
  static constexpr fp16 holding(float x) {
    std::uint32_t const all = std::bit_cast<std::uint32_t>(x), size = all & 0x7fffffffU;
    std::uint32_t const least = size < 0x38800000U ? size : 0x38800000U;
    auto const small = static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::bit_cast<float>(least) * 0x1p24F));
    std::uint32_t const normal = (size - 0x38000000U) >> 13;
    std::uint32_t const beyond = size > 0x7f800000U ? 0x7e00U : 0x7c00U;
    std::uint32_t const finite = detail::either(size < 0x38800000U, small, normal);
    return {static_cast<std::uint16_t>(detail::either(size < 0x47800000U, finite, beyond) |
                                       ((all >> 16) & 0x8000U))};
  }
  constexpr operator float() const {
    std::uint32_t const size = bits & 0x7fffU;
    float const small = static_cast<float>(static_cast<std::int32_t>(size)) * 0x1p-24F;
    std::uint32_t const normal = (size << 13) + 0x38000000U;
    std::uint32_t const beyond = (size << 13) | 0x7f800000U;
    std::uint32_t const finite =
        detail::either(size < 0x400U, std::bit_cast<std::uint32_t>(small), normal);
    return std::bit_cast<float>(detail::either(size < 0x7c00U, finite, beyond) | (bits & 0x8000U)
                                                                                     << 16);
  }
};

}  // namespace gossip
