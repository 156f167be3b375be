// Some columns of a row, drawn at random, the others zero: a sparsification.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/bits.hpp>
#include <gossip/op/column_words.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip::op {

/// A permutation of columns by a draw in [0, 1), a multiple of 2^-53: a Feistel network over
/// quotient and remainder by a power of two near the root, repeated for what it puts behind the
/// last column. J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002, method
/// 3. At most 2^32 columns.
class column_permutation {
 public:
  constexpr column_permutation(std::size_t columns, double draw)
      : columns_(columns), turns_(columns < 1024 ? most_turns : 4) {
    low_bits_ = bit_width(columns - 1) / 2;
    highs_ = static_cast<std::uint32_t>(((columns - 1) >> low_bits_) + 1);
    column_words(draw).template draw<4 * most_turns>(0, keys_);
  }

  /// Places (count) of columns from first on.
  constexpr void places(std::size_t first, std::size_t count, std::uint32_t *to) const {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(first + i);
    move(to, count);
    std::uint32_t last = 0;  // found first, so that most groups are done in vectors
    for (std::size_t i = 0; i < count; ++i) last = to[i] > last ? to[i] : last;
    if (last < columns_) return;
    for (std::size_t i = 0; i < count; ++i)
      while (to[i] >= columns_) move(to + i, 1);
  }

 private:
  static constexpr std::size_t most_turns = 12;  // of two rounds each; few halves need more

  /// Columns (count) by all rounds once.
  constexpr void move(std::uint32_t *columns, std::size_t count) const {
    std::uint32_t const mask = (std::uint32_t{1} << low_bits_) - 1;
    for (std::size_t turn = 0; turn < turns_; ++turn) {
      std::uint32_t const a = keys_[4 * turn], b = keys_[4 * turn + 1];
      std::uint32_t const c = keys_[4 * turn + 2], d = keys_[4 * turn + 3];
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t const low = columns[i] & mask;
        std::uint32_t const high = (columns[i] >> low_bits_) + part(word(low, a, b), highs_);
        std::uint32_t const within = high < highs_ ? high : high - highs_;
        columns[i] = within << low_bits_ | ((low + (word(within, c, d) >> 16)) & mask);
      }
    }
  }

  /// A number below `bound` by a word.
  static constexpr std::uint32_t part(std::uint32_t word, std::uint32_t bound) {
    return static_cast<std::uint32_t>(std::uint64_t{word} * bound >> 32);
  }

  /// 32 bits of a half by two words of a key.
  static constexpr std::uint32_t word(std::uint32_t half, std::uint32_t factor,
                                      std::uint32_t summand) {
    std::uint32_t h = half * (factor | 1U) + summand;
    h = (h ^ h >> 15) * 0x2C1B3C6DU;
    return h ^ h >> 13;
  }

  std::size_t columns_, turns_;
  std::uint32_t low_bits_, highs_;
  std::uint32_t keys_[4 * most_turns]{};
};

/// f(first, last, places) by a team for all columns: places of columns first to last.
template <class Team, class F>
constexpr void with_places(Team const &team, std::size_t columns, double draw, F f) {
  constexpr std::size_t together = words_together<Team>;
  column_permutation const all(columns, draw);
  team.each((columns + together - 1) / together, [=](std::size_t group) {
    std::uint32_t places[together];
    std::size_t const first = group * together, rest = columns - first;
    std::size_t const count = rest < together ? rest : together;
    all.places(first, count, places);
    f(first, first + count, places);
  });
}

/// x_0 <- c_1 x_0 in c_0 columns, of which every set is as likely as any other; 0 elsewhere. c_2 is
/// the draw that keys a permutation of the columns: those of its first c_0 places are chosen.
struct random_columns {
  static constexpr std::size_t rows = 1, coefficients = 3;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const row = x[0];
    T const factor = static_cast<T>(c[1]);
    auto const k = static_cast<std::size_t>(c[0]);
    with_places(team, columns, c[2],
                [=](std::size_t first, std::size_t last, std::uint32_t const *places) {
                  for (std::size_t i = first; i < last; ++i)
                    row[i] = places[i - first] < k ? factor * row[i] : T{0};
                });
  }
};
static_assert(whole_row_function<random_columns>);

}  // namespace gossip::op
