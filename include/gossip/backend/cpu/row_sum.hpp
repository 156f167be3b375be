// Rows added to sums that do not depend on their order, a register of columns at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/backend/cpu/pack.hpp>
#include <gossip/core/reproducible_sum.hpp>

namespace gossip::host {

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))

/// The numbers without what is behind the point.
[[gnu::always_inline]] inline pack<double> truncated(pack<double> x) {
#if defined(__AVX512F__)
  return _mm512_maskz_roundscale_pd(0xFF, x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
  return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#endif
}

/// Whole numbers below 2^51 as integers: added to 1.5 * 2^52 they are the last digits of the sum.
[[gnu::always_inline]] inline pack<std::int64_t> integers(pack<double> whole) {
  pack<double> const origin = broadcast(0x1.8p52);
  return __builtin_bit_cast(pack<std::int64_t>, whole + origin) -
         __builtin_bit_cast(pack<std::int64_t>, origin);
}

[[gnu::always_inline]] inline pack<double> load_doubles(double const *from) {
  return load(from);
}
[[gnu::always_inline]] inline pack<double> load_doubles(float const *from) {
#if defined(__AVX512F__)
  return _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(from));
#else
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
#endif
}

/// reproducible_sum::add_value for as many columns as a pack holds; all bits set where one fits.
[[gnu::always_inline]] inline pack<std::int64_t> add_pack(reproducible_sum const &sums,
                                                          pack<double> value, std::size_t c) {
  pack<double> const largest = broadcast(reproducible_sum::largest_addend);
  auto const fits = (value < largest) & (value > -largest);
  auto const kept =
      __builtin_bit_cast(pack<double>, __builtin_bit_cast(pack<std::int64_t>, value) & fits);
  pack<double> const whole = truncated(kept * 0x1p20);
  pack<double> const rest = kept - whole * 0x1p-20;
  store(sums.coarse(c), load(sums.coarse(c)) + integers(whole));
  store(sums.fine(c), load(sums.fine(c)) + integers(truncated(rest * 0x1p60)));
  return fits;
}

#endif

/// Adds weight * row (count) to the columns from `first` on; false if a product was too large or
/// not a number (it is left out then). The bits of reproducible_sum::add_value.
template <class T>
bool add_columns(reproducible_sum const &sums, double weight, T const *row, std::size_t first,
                 std::size_t count) {
  bool good = true;
  std::size_t c = 0;
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
  constexpr std::size_t width = pack_size<double>;
  pack<std::int64_t> fit = ~pack<std::int64_t>{};
  for (; c + width <= count; c += width)
    fit &= add_pack(sums, weight * load_doubles(row + c), first + c);
  for (std::size_t l = 0; l < width; ++l) good &= fit[l] != 0;
#endif
  for (; c < count; ++c) good &= sums.add_value(weight * static_cast<double>(row[c]), first + c);
  return good;
}

}  // namespace gossip::host
