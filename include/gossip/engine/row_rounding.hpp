// Rows in 16 bits under arithmetic in more: columns are taken into numbers of the arithmetic, a
// block at a time, and rounded at random as they are put back, so that small steps add up.
// S. Gupta et al., "Deep learning with limited numerical precision", ICML 2015.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/core/float16.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/random.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

/// A write of a node: the key of the random bits of its rounding, beside slot and column.
struct row_write {
  std::uint64_t seed = 0;
  node owner = 0;
  std::uint64_t count = 0;  ///< operations that have written to this node's rows before
};

/// The random bits of one write to a slot.
constexpr keyed_random bits_of_slot(row_write const &w, std::size_t slot) {
  purpose const what = slot < 8 ? purpose::rounding : purpose::rounding_of_high_slots;
  return {w.seed, what, w.owner, w.count * 8 + slot % 8};
}

/// 16 random bits for one column of a slot.
constexpr std::uint16_t rounding_bits(row_write const &w, std::size_t slot, std::size_t column) {
  keyed_random random = bits_of_slot(w, slot);
  random.seek(static_cast<std::uint32_t>(column / 8));
  std::uint32_t word = random.bits();
  for (std::size_t skip = column % 8 / 2; skip > 0; --skip) word = random.bits();
  return static_cast<std::uint16_t>(column % 2 == 0 ? word : word >> 16);
}

/// The element of a row that a number becomes whose element was `before`; the same bits as
/// put_columns.
template <class Row, class T>
constexpr Row put_number(row_write const &w, std::size_t slot, std::size_t column, Row before,
                         T number) {
  if constexpr (std::is_same_v<Row, T>) {
    return number;
  } else {
    T const old = static_cast<T>(before);
    if (std::bit_cast<std::uint32_t>(number) == std::bit_cast<std::uint32_t>(old)) return before;
    return Row::holding(rounded_at_random<Row>(number, rounding_bits(w, slot, column)));
  }
}

/// Columns whose random bits are drawn together: those of 16 blocks of Philox.
inline constexpr std::size_t drawn_columns = 128;

/// 16 random bits for each column of a slot from `first` on, a multiple of drawn_columns.
inline void draw_bits(row_write const &w, std::size_t slot, std::size_t first,
                      std::array<std::uint16_t, drawn_columns> &bits) {
  constexpr std::size_t blocks = drawn_columns / 8;
  keyed_random const random = bits_of_slot(w, slot);
  std::uint32_t words[blocks][4];
  random.template draw_blocks<blocks>(static_cast<std::uint32_t>(first / 8), words);
  std::memcpy(bits.data(), words, sizeof words);
}

/// Counts who has written how often; rows of the arithmetic's own type need no count.
template <class Row, class T>
class row_writes {
 public:
  row_writes(std::uint64_t seed, fleet_size const &size)
      : seed_(seed),
        shared_(size.shared),
        counts_(rounds ? (size.shared ? 1 : size.owners()) : 0) {}

  static constexpr bool rounds = !std::is_same_v<Row, T>;

  /// The next write of a node.
  row_write next(node i) {
    if constexpr (!rounds) return {};
    node const row = shared_ ? 0 : i;
    return {seed_, row, counts_[row]++};
  }

  /// A write of a node whose writes are counted elsewhere.
  row_write numbered(node i, std::uint64_t count) const { return {seed_, i, count}; }

  /// held: the owners whose rows are here.
  void name_state(state_visitor const &visit, std::span<node const> held) {
    node const all = 0;
    if (rounds)
      visit.by_owner("writes", counts_.size(), shared_ ? std::span(&all, 1) : held,
                     [this](node i) -> auto & { return counts_[i]; });
  }

 private:
  std::uint64_t seed_;
  bool shared_;
  std::vector<std::uint64_t> counts_;
};

/// f(owner) for everyone whose rows an operation writes, in the order in which writes are counted.
/// A row behind those of all owners is a copy of another rank's, where it is counted.
template <class F>
void each_writer(operation const &o, fleet_size const &size, F f) {
  row_uses const uses = uses_of(o);
  if (uses.every_node.written != 0)
    for (node i = 0; i < (size.shared ? 1 : size.nodes); ++i) f(i);
  // A training counts one also where it only adds to sums or its optimizer keeps no rows.
  if (uses.first.written != 0 || o.kind() == operation_kind::train) f(o.a);
  if (uses.second.written != 0 && o.b() < size.owners()) f(o.b());
}

/// Columns that are worked on at a time.
inline constexpr std::size_t rounding_block = 512;

/// to (last - first) = numbers of a row.
template <class Row, class T>
void take_columns(Row const *row, std::size_t first, std::size_t last, T *to) {
  for (std::size_t c = first; c < last; ++c) to[c - first] = static_cast<T>(row[c]);
}

/// Columns first to last of a row in 16 bits = the numbers, each rounded at random.
template <class Row, class T>
void put_rounded(row_write const &w, std::size_t slot, T const *numbers, std::size_t first,
                 std::size_t last, Row *row, std::size_t origin) {
  std::array<std::uint16_t, drawn_columns> bits;
  for (std::size_t begin = first; begin < last;) {
    std::size_t const group = begin / drawn_columns * drawn_columns;
    std::size_t const end = std::min(group + drawn_columns, last);
    draw_bits(w, slot, group, bits);
    T const *const from = numbers + (begin - first);
    std::uint16_t const *const random = bits.data() + (begin - group);
    Row *const to = row + (begin - origin);
    for (std::size_t c = 0; c < end - begin; ++c)
      to[c] = Row::holding(static_cast<float>(rounded_at_random<Row>(from[c], random[c])));
    begin = end;
  }
}

/// Columns first to last of a row = the numbers, each rounded at random where the row's type is not
/// theirs; origin: the column that row begins with.
template <class Row, class T>
void put_columns(row_write const &w, std::size_t slot, T const *numbers, std::size_t first,
                 std::size_t last, Row *row, std::size_t origin = 0) {
  if constexpr (std::is_same_v<Row, T>) {
    std::copy_n(numbers, last - first, row + (first - origin));
  } else {
    put_rounded(w, slot, numbers, first, last, row, origin);
  }
}

/// f(range, offset) on columns first to last of a node's rows: ranges of columns as numbers of T,
/// and the number of columns worked on before. What f leaves is in the rows afterwards.
template <class T, class Row, class F>
void on_columns(leased_rows<Row> const &rows, node i, std::size_t first, std::size_t last,
                row_write const &write, F f) {
  std::size_t const slots = 1 + rows.size().optimizer_rows;
  column_range<T> range{first, last, nullptr, {}, first};
  if constexpr (std::is_same_v<Row, T>) {
    range.parameters = rows.row(0, i, first);
    for (std::size_t s = 1; s < slots; ++s) range.rows[s - 1] = rows.row(s, i, first);
    f(range, std::size_t{0});
  } else {
    T numbers[5][rounding_block], before[5][rounding_block];
    range.parameters = numbers[0];
    for (std::size_t s = 1; s < slots; ++s) range.rows[s - 1] = numbers[s];
    for (std::size_t begin = first; begin < last; begin += rounding_block) {
      std::size_t const end = std::min(begin + rounding_block, last);
      range.first = range.origin = begin;
      range.last = end;
      std::size_t const bytes = (end - begin) * sizeof(T);
      for (std::size_t s = 0; s < slots; ++s) {
        take_columns(rows.row(s, i, begin), 0, end - begin, numbers[s]);
        std::memcpy(before[s], numbers[s], bytes);
      }
      f(range, begin - first);
      for (std::size_t s = 0; s < slots; ++s)
        if (std::memcmp(before[s], numbers[s], bytes) != 0)
          put_columns(write, s, numbers[s], begin, end, rows.row(s, i, begin), begin);
    }
  }
}

/// f(rows, count) on columns first to last of the rows that an operation names, in its order, as
/// numbers of T. What f leaves in those that it writes is in the rows afterwards; of a second node
/// whose writes are counted elsewhere it is not.
template <class T, class Row, class F>
void on_rows(leased_rows<Row> const &rows, operation const &o, std::size_t first, std::size_t last,
             row_write const &write, row_write const *second, F f) {
  std::array<Row *, most_rows> from;
  std::size_t const count = o.rows.size();
  node const second_owner = o.b();
  for (std::size_t k = 0; k < count; ++k) {
    row_access const one = o.rows[k];
    from[k] = rows.row(one.slot, one.of_second ? second_owner : o.a, first);
  }
  if constexpr (std::is_same_v<Row, T>) {
    f(from.data(), last - first);
  } else {
    T numbers[most_rows][rounding_block];
    std::array<T *, most_rows> at;
    for (std::size_t k = 0; k < count; ++k) at[k] = numbers[k];
    for (std::size_t begin = first; begin < last; begin += rounding_block) {
      std::size_t const end = std::min(begin + rounding_block, last);
      for (std::size_t k = 0; k < count; ++k)
        if (o.rows[k].reads) take_columns(from[k], begin - first, end - first, numbers[k]);
      f(at.data(), end - begin);
      for (std::size_t k = 0; k < count; ++k) {
        row_access const one = o.rows[k];
        row_write const *const by = one.of_second ? second : &write;
        if (one.writes && by) put_columns(*by, one.slot, numbers[k], begin, end, from[k], first);
      }
    }
  }
}

/// `count` elements of a row as numbers of T; at most a block where Row is not T, which then has
/// room for them.
template <class T, class Row>
T const *numbers_of(Row const *row, std::size_t count, T *block) {
  if constexpr (std::is_same_v<Row, T>) {
    return row;
  } else {
    take_columns(row, 0, count, block);
    return block;
  }
}

/// Places of a mixture's rows, where they are not wholly those of a fleet.
template <class Row>
struct mixed_part {
  op::rows_beside<Row> beside{};  ///< read only
  std::size_t column = 0;         ///< of the row, with which the mixed rows begin
  std::size_t slot = 0;           ///< the slot that is mixed
};

/// Columns first to last of x (n,d), changed as op::change_tile does it; scratch (n + beside,
/// columns_at_once), writes (n).
template <class T, class Row>
void mix_rounded(neighborhood_kernel<T> const &function, op::mixing_rows<T> const &w,
                 rows_view<Row> x, std::size_t first, std::size_t last, std::size_t columns_at_once,
                 T *scratch, row_write const *writes, mixed_part<Row> const &part = {}) {
  auto const &[beside, column, slot] = part;
  for (std::size_t begin = first; begin < last; begin += columns_at_once) {
    std::size_t const end = std::min(begin + columns_at_once, last);
    for (std::size_t i = 0; i < x.rows; ++i)
      take_columns<Row>(x.data + i * x.stride, begin, end, scratch + i * columns_at_once);
    for (std::size_t k = 0; k < beside.rows.size(); ++k)
      take_columns(beside.rows[k], beside.at + begin, beside.at + end,
                   scratch + (x.rows + k) * columns_at_once);
    for (std::size_t i = 0; i < w.rows(); ++i) {
      T mixed[rounding_block];
      function.tile(w.row(i), scratch, columns_at_once, mixed, end - begin);
      put_columns(writes[i], slot, mixed, column + begin, column + end, x.data + i * x.stride,
                  column);
    }
  }
}

}  // namespace gossip
