// The largest numbers of a row, the others zero: a sparsification.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/op/chunk_lanes.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

namespace op {

/// Numbers (columns) keep the k of the greatest magnitude, of equal ones those of lower columns;
/// all others become 0. The least magnitude that stays is searched by counting: a sample of the row
/// says between which magnitudes, and the counts of those where to look next.
struct largest_numbers {
  template <class Team, class T>
  constexpr void operator()(Team const &team, T *row, std::size_t columns, std::size_t k) const {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    if (k >= columns) return;
    // Bits of a magnitude, which are in the order of magnitudes; the lowest is always 0.
    auto const size = [row](std::size_t i) {
      return static_cast<word>(std::bit_cast<word>(row[i]) << 1);
    };
    bracket<word> const found = columns < 16 * sample ? by_bits<word>(team, columns, k, size)
                                                      : by_counts<word>(team, columns, k, size);
    word const least = found.low;
    std::size_t const end =
        found.reached == k ? columns : end_of_equals(team, columns, k - found.above, size, least);
    team.each(columns, [=](std::size_t i) {
      word const own = size(i);
      if (own < least || (own == least && i >= end)) row[i] = T{0};
    });
  }

 private:
  static constexpr std::size_t sample = 4096, run = 16;  // columns, and those side by side

  /// A magnitude that at least k columns reach, the least above it that is known to be reached by
  /// fewer, and how many columns reach them.
  template <class Word>
  struct bracket {
    Word low, high;
    std::size_t reached, above;
  };

  /// The greatest magnitude that at least k of the columns reach, bit by bit from the highest on;
  /// less where as many reach it, k.
  template <class Word, class Team, class Size>
  static constexpr bracket<Word> by_bits(Team const &team, std::size_t columns, std::size_t k,
                                         Size size) {
    bracket<Word> found{0, std::numeric_limits<Word>::max(), columns, 0};
    for (int b = std::numeric_limits<Word>::digits - 1; b > 0 && found.reached != k; --b)
      try_at(team, columns, k, size, static_cast<Word>(found.low | Word{1} << b), found);
    return found;
  }

  /// The same for long rows. Ranks of a sample are those of the row but for some deviations.
  template <class Word, class Team, class Size>
  static constexpr bracket<Word> by_counts(Team const &team, std::size_t columns, std::size_t k,
                                           Size size) {
    std::size_t const apart = columns / sample * run;  // of the runs of the sample
    auto const sampled = [=](std::size_t i) { return size(i / run * apart + i % run); };
    std::size_t const rank = k / (columns / sample);
    std::size_t const margin =
        4 + 2 * static_cast<std::size_t>(std::sqrt(static_cast<double>(rank)));
    auto const guess = [&](std::size_t r) {
      return by_bits<Word>(team, sample, r < 1 ? 1 : r < sample ? r : sample, sampled).low;
    };
    bracket<Word> found{0, std::numeric_limits<Word>::max(), columns, 0};
    try_at(team, columns, k, size, guess(rank + margin), found);
    try_at(team, columns, k, size, guess(rank < margin ? 0 : rank - margin) + 2, found);
    for (int turn = 0; found.reached != k && found.high - found.low > 2; ++turn) {
      Word const width = found.high - found.low, half = width / 2;
      double const part =
          static_cast<double>(found.reached - k) / static_cast<double>(found.reached - found.above);
      auto const aimed = static_cast<Word>(part * static_cast<double>(width));
      Word const step = (turn % 4 == 3 ? half : aimed < width ? aimed : half) & ~Word{1};
      try_at(team, columns, k, size, found.low + (step < 2 ? Word{2} : step), found);
    }
    return found;
  }

  /// Counts who reaches a magnitude, which then bounds the bracket where it is inside.
  template <class Word, class Team, class Size>
  static constexpr void try_at(Team const &team, std::size_t columns, std::size_t k, Size size,
                               Word tried, bracket<Word> &of) {
    if (tried <= of.low || tried >= of.high) return;
    std::size_t const found = team.count(columns, [=](std::size_t i) { return size(i) >= tried; });
    (found < k ? of.high : of.low) = tried;
    (found < k ? of.above : of.reached) = found;
  }

  /// The first column behind the first `count` of magnitude `least`.
  template <class Team, class Size, class Word>
  static constexpr std::size_t end_of_equals(Team const &team, std::size_t columns,
                                             std::size_t count, Size size, Word least) {
    std::size_t low = 0, high = columns, before = 0;  // equal ones before low: fewer than count
    while (low < high) {
      std::size_t const middle = low + (high - low) / 2;
      std::size_t const here =
          team.count(middle - low, [=](std::size_t i) { return size(low + i) == least; });
      if (before + here < count) {
        before += here;
        if (size(middle) == least) ++before;
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

/// x_0 keeps its c_0 largest_numbers.
struct top_k {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    if (c[0] >= static_cast<double>(columns)) return;
    largest_numbers{}(team, x[0], columns, c[0] >= 1 ? static_cast<std::size_t>(c[0]) : 0);
  }
};
static_assert(whole_row_function<top_k>);

/// x_0 keeps the c_1 largest_numbers of every chunk of c_0 columns, the last of which may be
/// shorter. A chunk is one thread's; a team of one thread takes short ones side by side.
struct top_k_of_chunks {
  static constexpr std::size_t rows = 1, coefficients = 2;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    T *const row = x[0];
    auto const chunk = static_cast<std::size_t>(c[0]), k = static_cast<std::size_t>(c[1]);
    if (k >= chunk) return;
    std::size_t first = 0;
    if constexpr (std::same_as<Team, one_thread>)
      if (k > 0)
        first = chunk_lanes<T>::change(columns, chunk, row, [=](chunk_lanes<T> &together) {
          together.keep_largest(chunk, k);
        });
    team.each((columns - first + chunk - 1) / chunk, [=](std::size_t number) {
      std::size_t const begin = first + number * chunk, rest = columns - begin;
      largest_numbers{}(one_thread{}, row + begin, rest < chunk ? rest : chunk, k);
    });
  }
};
static_assert(whole_row_function<top_k_of_chunks>);

}  // namespace op

}  // namespace gossip
