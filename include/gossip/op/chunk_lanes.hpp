// Chunks of a row side by side on the host, one in each lane of a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gossip/core/repeat.hpp>
#include <gossip/op/vector_bytes.hpp>

namespace gossip::op {

/// Chunks of at most `longest` columns, one in each lane: a vector holds column i of all of them.
/// For GCC and clang.
template <class T>
class chunk_lanes {
  using word = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef word words __attribute__((vector_size(vector_bytes)));

 public:
  static constexpr std::size_t lanes = vector_bytes / sizeof(T), longest = 128;
  typedef T numbers __attribute__((vector_size(vector_bytes)));

  /// f(chunk_lanes &) changes chunks of a row, as many as there are lanes at once, as long as there
  /// are as many. Returns the first column behind them: 0 for longer chunks.
  template <class F>
  static std::size_t change(std::size_t columns, std::size_t chunk, T *row, F f) {
    if (chunk > longest || columns < lanes * chunk) return 0;
    chunk_lanes together;
    std::size_t first = 0;
    for (; columns - first >= lanes * chunk; first += lanes * chunk) {
      together.take(chunk, row + first);
      f(together);
      together.put(chunk, row + first);
    }
    return first;
  }

  numbers *data() { return numbers_; }

  /// Keeps the k of the greatest magnitude of every chunk of `size` columns, of equal ones the
  /// first; the others become 0. 0 < k < size.
  void keep_largest(std::size_t size, std::size_t k) {
    bound const found = k <= few ? by_insertion(size, k) : by_bits(size, k);
    words room = found.room;
    for (std::size_t i = 0; i < size; ++i) {
      words const own = magnitude_bits & __builtin_bit_cast(words, numbers_[i]);
      words const equal = (own == found.least) & (room > 0);
      numbers_[i] = __builtin_bit_cast(
          numbers, __builtin_bit_cast(words, numbers_[i]) & ((own > found.least) | equal));
      room += equal;
    }
  }

 private:
  static constexpr std::size_t few = 8;  // numbers that are sorted by insertion
  static constexpr word magnitude_bits = std::numeric_limits<word>::max();

  /// The least magnitude that stays, as bits, which are in the order of magnitudes, and for how
  /// many numbers of this magnitude there is room.
  struct bound {
    words least, room;
  };

  void take(std::size_t size, T const *row) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t l = 0; l < lanes; ++l) numbers_[i][l] = row[l * size + i];
  }
  void put(std::size_t size, T *row) const {
    for (std::size_t l = 0; l < lanes; ++l)
      for (std::size_t i = 0; i < size; ++i) row[l * size + i] = numbers_[i][l];
  }

  /// The largest in descending order, which registers hold.
  bound by_insertion(std::size_t size, std::size_t k) const {
    words largest[few]{};
    for (std::size_t i = 0; i < size; ++i) {
      words one = magnitude_bits & __builtin_bit_cast(words, numbers_[i]);
      repeat<few>([&](std::size_t r) {
        words const high = one > largest[r] ? one : largest[r];
        one = one > largest[r] ? largest[r] : one;
        largest[r] = high;
      });
    }
    words sorted[few];  // apart, for an array that is indexed by k does not stay in registers
    repeat<few>([&](std::size_t r) { sorted[r] = largest[r]; });
    bound found{sorted[k - 1], words{} + static_cast<word>(k)};
    for (std::size_t r = 0; r < k; ++r) found.room += sorted[r] > found.least;
    return found;
  }

  /// The greatest magnitude that at least k numbers reach, bit by bit from the highest on; less
  /// where as many reach it, k.
  bound by_bits(std::size_t size, std::size_t k) const {
    auto const count = static_cast<word>(k);
    words least{}, reached = words{} + static_cast<word>(size), above{};
    for (int b = std::numeric_limits<word>::digits - 1; b >= 0; --b) {
      words const tried = least | word{1} << b;
      words found{};
      for (std::size_t i = 0; i < size; ++i)
        found -= (magnitude_bits & __builtin_bit_cast(words, numbers_[i])) >= tried;
      words const open = reached != count, many = open & (found >= count), fewer = open & ~many;
      least = (tried & many) | (least & ~many);
      reached = (found & many) | (reached & ~many);
      above = (found & fewer) | (above & ~fewer);
      word left = 0;
      for (std::size_t l = 0; l < lanes; ++l) left |= reached[l] ^ count;
      if (left == 0) break;
    }
    words const all = reached == count;
    return {least, (all & magnitude_bits) | ((count - above) & ~all)};
  }

  numbers numbers_[longest];
};

}  // namespace gossip::op
