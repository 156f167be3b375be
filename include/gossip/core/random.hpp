// Counter-based random numbers keyed by (seed, purpose, node, step): any value, at any time, in any
// order, on any thread or device. J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC 2011: Philox4x32-10.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gossip/core/elementary.hpp>

namespace gossip {

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

/// One block of Philox4x32-10: 128 random bits from a 128-bit counter and a 64-bit key.
constexpr philox_counter philox(philox_counter c, philox_key k) {
  for (int turn = 0; turn < 10; ++turn) {
    std::uint64_t const p0 = std::uint64_t{0xD2511F53U} * c[0];
    std::uint64_t const p1 = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
    k[0] += 0x9E3779B9U;
    k[1] += 0xBB67AE85U;
  }
  return c;
}

/// The blocks of `Count` counters, words (4, Count), in their places. Words are kept in 64 bits,
/// which compilers turn into vector instructions.
template <std::size_t Count>
constexpr void philox_side_by_side(std::uint64_t (&c)[4][Count], philox_key key) {
  constexpr std::uint64_t low = 0xffffffffU;
  std::uint64_t k[2] = {key[0], key[1]};
  for (int turn = 0; turn < 10; ++turn) {
#ifndef __CUDACC__    // which warns of it
#pragma GCC unroll 1  // written out, it is vectorised in part only
#endif
    for (std::size_t i = 0; i < Count; ++i) {
      std::uint64_t const p0 = std::uint64_t{0xD2511F53U} * (c[0][i] & low);
      std::uint64_t const p1 = std::uint64_t{0xCD9E8D57U} * (c[2][i] & low);
      c[0][i] = (p1 >> 32) ^ c[1][i] ^ k[0];
      c[1][i] = p1 & low;
      c[2][i] = (p0 >> 32) ^ c[3][i] ^ k[1];
      c[3][i] = p0 & low;
    }
    k[0] = (k[0] + 0x9E3779B9U) & low;
    k[1] = (k[1] + 0xBB67AE85U) & low;
  }
}

/// The blocks of `Count` counters that differ in their first word: words (Count, 4).
template <std::size_t Count>
constexpr void philox_blocks(philox_counter counter, philox_key key, std::uint32_t (*words)[4]) {
  std::uint64_t c[4][Count];
  for (std::size_t i = 0; i < Count; ++i) {
    c[0][i] = (counter[0] + i) & 0xffffffffU;
    for (std::size_t w = 1; w < 4; ++w) c[w][i] = counter[w];
  }
  philox_side_by_side(c, key);
  for (std::size_t i = 0; i < Count; ++i)
    for (std::size_t w = 0; w < 4; ++w) words[i][w] = static_cast<std::uint32_t>(c[w][i]);
}

/// The purpose of a random number; two purposes never share a value. Append only: the order is part
/// of every recorded run.
enum class purpose : std::uint32_t {
  topology,
  initial_parameters,
  partition,
  batch,
  compute_time,
  neighbor,
  evaluation,
  synthetic_data,
  spectrum,
  user,
  dropout,
  augmentation,
  rounding,
  exchange,
  rounding_of_high_slots,
  codec,
  machine_state,
  machine_kind,
  outages,
  message_loss,
  participation,
};

/// The stream of random numbers of one (seed, purpose, node, step); up to 2^34 values each.
class keyed_random {
 public:
  constexpr keyed_random(std::uint64_t seed, purpose what, std::uint32_t owner, std::uint64_t step)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        counter_{
            0, owner, static_cast<std::uint32_t>(step),
            static_cast<std::uint32_t>(step >> 32) ^ (static_cast<std::uint32_t>(what) << 24)} {}

  /// Goes on at this block of the stream, each of which has 128 bits: at word 4 * block.
  constexpr void seek(std::uint32_t block) {
    counter_[0] = block;
    used_ = 4;
  }

  /// `Count` blocks of the stream from this one on, as words (Count, 4); the place where the stream
  /// stands does not change.
  template <std::size_t Count>
  constexpr void draw_blocks(std::uint32_t block, std::uint32_t (*words)[4]) const {
    philox_counter first = counter_;
    first[0] = block;
    philox_blocks<Count>(first, key_, words);
  }

  /// 32 uniform bits. Inlined wherever a planner draws: called, it costs planning 6 %.
  [[gnu::always_inline]] constexpr std::uint32_t bits() {
    if (used_ == 4) {
      block_ = philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }

  /// 64 uniform bits.
  constexpr std::uint64_t bits64() {
    std::uint64_t const high = bits();
    return high << 32 | bits();
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  constexpr double uniform() { return unit(bits64()); }

  /// Uniform in {0, ..., bound - 1}, without bias (Lemire 2019); bound must not be 0.
  constexpr std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{bits()} * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      std::uint32_t const least = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{bits()} * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Standard normal (Box and Muller 1958), from the library's own log and cos.
  double normal() {
    double const first = uniform();
    return normal_of(first, uniform());
  }

  /// The first normal() of a stream, which is that of its first block alone. Planning draws one a
  /// training; with normal(), which keeps the stream's state, it takes 8 to 18 % longer.
  double first_normal() const;

  /// first_normal() of this stream and of those of the Count - 1 steps after its own: with Count =
  /// 8 a number takes 0.4 of the time.
  template <std::size_t Count>
  void first_normals(double (&normals)[Count]) const {
    std::uint64_t const step = std::uint64_t{counter_[3]} << 32 | counter_[2];
    std::uint64_t c[4][Count];
    for (std::size_t i = 0; i < Count; ++i) {
      c[0][i] = 0;
      c[1][i] = counter_[1];
      c[2][i] = (step + i) & 0xffffffffU;
      c[3][i] = (step + i) >> 32;
    }
    philox_side_by_side(c, key_);
    for (std::size_t i = 0; i < Count; ++i)
      normals[i] = -2.0 * elementary::log(1.0 - unit(c[0][i], c[1][i]));
    for (std::size_t i = 0; i < Count; ++i) normals[i] = std::sqrt(normals[i]);
    for (std::size_t i = 0; i < Count; ++i)
      normals[i] *= elementary::cos_turn(unit(c[2][i], c[3][i]));
  }

  /// Gamma of the given shape > 0 and scale 1 (Marsaglia and Tsang 2000).
  double gamma(double shape);

 private:
  static constexpr double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }
  static constexpr double unit(std::uint64_t high, std::uint64_t low) {  // words of 32 bits
    return (elementary::whole(high) * 0x1p21 + elementary::whole(low >> 11)) * 0x1p-53;
  }
  static double normal_of(double u, double v) {
    return std::sqrt(-2.0 * elementary::log(1.0 - u)) * elementary::cos_turn(v);
  }

  philox_key key_;
  philox_counter counter_;
  philox_counter block_{};
  unsigned used_ = 4;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/random.ipp>
#endif
