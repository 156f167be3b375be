// The rows that one operation reads and writes, in one word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <gossip/core/bits.hpp>
#include <gossip/op/column.hpp>

namespace gossip {

/// One row that an operation names: a slot of its first node or of its second.
struct row_access {
  std::uint8_t slot = 0;  ///< 0: the model; then the optimizer's rows; then those of an exchange
  bool of_second = false;
  bool reads = true, writes = false;
  bool trainable = false;  ///< of slot 0: the trainable columns alone, not statistics
};

/// At most eight accesses in the order in which a function takes them; a byte each: the slot in
/// bits 0 to 3, bit 4 for the second node, bit 5 for a read, bit 6 for a write, bit 7 for trainable
/// columns alone.
class row_list {
 public:
  /// Slots that a node may have.
  static constexpr std::size_t most_slots = 16;

  constexpr row_list() = default;
  constexpr row_list(std::initializer_list<row_access> accesses) {
    for (row_access const &one : accesses) add(one);
  }

  constexpr void add(row_access const &one) {
    std::uint64_t const byte = std::uint64_t{one.slot} | std::uint64_t{one.of_second} << 4 |
                               std::uint64_t{one.reads} << 5 | std::uint64_t{one.writes} << 6 |
                               std::uint64_t{one.trainable} << 7;
    word_ |= byte << (8 * size());
  }

  constexpr std::size_t size() const { return std::size_t{bit_width(word_) + 7} / 8; }
  /// Inlined also at -O1: g++ 12 called it there for each column of a device's program on the host.
  [[gnu::always_inline]] constexpr row_access operator[](std::size_t k) const {
    std::uint64_t const byte = word_ >> (8 * k);
    return {static_cast<std::uint8_t>(byte & 15), (byte >> 4 & 1) != 0, (byte >> 5 & 1) != 0,
            (byte >> 6 & 1) != 0, (byte >> 7 & 1) != 0};
  }

  constexpr bool names_second() const { return (word_ & second) != 0; }
  constexpr bool writes_first() const { return (word_ >> 2 & ~word_ & second) != 0; }
  constexpr bool writes_second() const { return (word_ >> 2 & word_ & second) != 0; }

  /// Whether all rows are models with their statistics.
  constexpr bool only_models() const { return (word_ & 0x8f8f8f8f8f8f8f8fU) == 0; }

  /// The slot of the first access to a node's row; 0 where there is none.
  constexpr std::uint8_t slot_of(bool of_second) const {
    for (std::size_t k = 0; k < size(); ++k)
      if ((*this)[k].of_second == of_second) return (*this)[k].slot;
    return 0;
  }

  /// Slots of a node that are read or written, as bits.
  constexpr std::uint32_t read(bool of_second) const {
    return slots(of_second, [](row_access const &one) { return one.reads; });
  }
  constexpr std::uint32_t written(bool of_second) const {
    return slots(of_second, [](row_access const &one) { return one.writes; });
  }

  /// The same with the two nodes in each other's place.
  constexpr row_list exchanged() const {
    row_list other;
    other.word_ = word_ ^ ((word_ >> 1 | word_ >> 2) & second);
    return other;
  }

  constexpr std::uint64_t word() const { return word_; }
  friend constexpr bool operator==(row_list const &, row_list const &) = default;

 private:
  static constexpr std::uint64_t second = 0x1010101010101010U;

  template <class Chosen>
  constexpr std::uint32_t slots(bool of_second, Chosen chosen) const {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < size(); ++k) {
      row_access const one = (*this)[k];
      if (one.of_second == of_second && chosen(one)) bits |= 1U << one.slot;
    }
    return bits;
  }

  std::uint64_t word_ = 0;
};

/// The accesses of a function to rows as they are named, of which it reads and writes what it says.
template <class F>
constexpr row_list accesses_of(std::array<row_access, F::rows> rows) {
  row_list list;
  for (std::size_t k = 0; k < F::rows; ++k) {
    rows[k].reads = (F::reads >> k & 1) != 0;
    rows[k].writes = (F::writes >> k & 1) != 0;
    list.add(rows[k]);
  }
  return list;
}

}  // namespace gossip
