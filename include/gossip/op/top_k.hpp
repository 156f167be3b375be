// The largest numbers of a row, the others zero: a sparsification.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/op/whole_row.hpp>

namespace gossip {

namespace op {

/// x_0 keeps its c_0 numbers of the greatest magnitude, of equal ones those of lower columns; all
/// others become 0. The least magnitude that stays is found bit by bit, from the highest on.
struct top_k {
  static constexpr std::size_t rows = 1, coefficients = 1;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *c,
                            T *const *x) const {
    using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    T *const row = x[0];
    if (c[0] >= static_cast<double>(columns)) return;
    auto const k = c[0] >= 1 ? static_cast<std::size_t>(c[0]) : std::size_t{0};
    // Bits of a magnitude, which are in the order of magnitudes; the lowest is always 0.
    auto const size = [row](std::size_t i) {
      return static_cast<word>(std::bit_cast<word>(row[i]) << 1);
    };
    word least = 0;  // the greatest that at least k columns reach
    std::size_t reached = columns;
    for (int b = std::numeric_limits<word>::digits - 1; b > 0 && reached != k; --b) {
      word const tried = least | word{1} << b;
      std::size_t const found =
          team.count(columns, [=](std::size_t i) { return size(i) >= tried; });
      if (found < k) continue;
      least = tried;
      reached = found;
    }
    std::size_t const end = reached == k ? columns : end_of_equals(team, columns, k, size, least);
    team.each(columns, [=](std::size_t i) {
      word const own = size(i);
      if (own < least || (own == least && i >= end)) row[i] = T{0};
    });
  }

 private:
  /// The first column behind those of magnitude `least` that stay, so that k do with all above.
  template <class Team, class Size, class Word>
  static constexpr std::size_t end_of_equals(Team const &team, std::size_t columns, std::size_t k,
                                             Size size, Word least) {
    std::size_t const above = team.count(columns, [=](std::size_t i) { return size(i) > least; });
    std::size_t low = 0, high = columns;  // below low there are too few, below high enough
    while (low < high) {
      std::size_t const middle = low + (high - low) / 2;
      std::size_t const found = team.count(middle, [=](std::size_t i) { return size(i) == least; });
      if (above + found < k)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};
static_assert(whole_row_function<top_k>);

}  // namespace op

/// The library's whole-row functions, which every plan may name.
using library_whole_rows = whole_row_functions<op::top_k>;

namespace detail {

/// The library's and those that an exchange declares.
template <class X>
struct whole_rows {
  using type = library_whole_rows;
};
template <class X>
requires requires {
  typename X::whole_rows;
}
struct whole_rows<X> {
  using type = typename joined<library_whole_rows, typename X::whole_rows>::type;
};

}  // namespace detail

}  // namespace gossip
