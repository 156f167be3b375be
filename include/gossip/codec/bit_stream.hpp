// Bytes of a message, written and read a few bits at a time: the first bit is the lowest of the
// first byte.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/bits.hpp>
#include <gossip/core/error.hpp>

namespace gossip::codec {

/// Bits of a whole number below count; 0 where there is one.
constexpr unsigned bits_below(std::size_t count) {
  return count > 1 ? bit_width(count - 1) : 0;
}

/// The unsigned type with the bits of a float or double.
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

class bit_writer {
 public:
  /// The lowest bits of a number, at most 64.
  void put(std::uint64_t number, unsigned bits) {
    while (bits > 0) {
      if (used_ == 0) bytes_.push_back(std::byte{0});
      unsigned const now = bits < 8 - used_ ? bits : 8 - used_;
      bytes_.back() |= static_cast<std::byte>((number & ((1U << now) - 1)) << used_);
      used_ = (used_ + now) % 8;
      number >>= now;
      bits -= now;
    }
  }
  template <class T>
  void put_number(T number) {
    put(std::bit_cast<bits_of<T>>(number), 8 * sizeof(T));
  }

  std::vector<std::byte> bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  unsigned used_ = 0;  // bits of the last byte; 0: all
};

/// Throws error where there are no more bits. The bytes outlive it.
class bit_reader {
 public:
  explicit bit_reader(std::span<std::byte const> bytes) : bytes_(bytes) {}

  std::uint64_t take(unsigned bits) {
    std::uint64_t number = 0;
    for (unsigned done = 0; done < bits;) {
      if (at_ / 8 >= bytes_.size())
        throw error("codec: a message ends after " + std::to_string(bytes_.size()) + " bytes");
      unsigned const used = at_ % 8, now = bits - done < 8 - used ? bits - done : 8 - used;
      auto const byte = std::to_integer<std::uint64_t>(bytes_[at_ / 8]);
      number |= (byte >> used & ((1U << now) - 1)) << done;
      done += now;
      at_ += now;
    }
    return number;
  }
  template <class T>
  T take_number() {
    return std::bit_cast<T>(static_cast<bits_of<T>>(take(8 * sizeof(T))));
  }

 private:
  std::span<std::byte const> bytes_;
  std::size_t at_ = 0;  // bits
};

/// Numbers of a row that are not 0, and their columns, as so many entries: what a sparsification
/// leaves. Where there are fewer the last is repeated, or column 0.
template <class T>
void put_sparse(bit_writer &to, std::span<T const> row, std::size_t entries, unsigned column_bits) {
  std::size_t last = 0, put = 0;
  auto const entry = [&](std::size_t column) {
    to.put(column, column_bits);
    to.put_number(row[column]);
    ++put;
  };
  for (std::size_t c = 0; c < row.size() && put < entries; ++c)
    if (std::bit_cast<bits_of<T>>(row[c]) != 0) entry(last = c);
  while (put < entries) entry(last);
}

/// The row (columns) of so many entries; others become 0. Throws error where a column is none.
template <class T>
void take_sparse(bit_reader &from, std::span<T> row, std::size_t entries, unsigned column_bits) {
  for (T &x : row) x = T{0};
  for (std::size_t k = 0; k < entries; ++k) {
    std::uint64_t const column = from.take(column_bits);
    if (column >= row.size())
      throw error("codec: a message names column " + std::to_string(column) + " of " +
                  std::to_string(row.size()));
    row[column] = from.template take_number<T>();
  }
}

}  // namespace gossip::codec
