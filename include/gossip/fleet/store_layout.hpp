// The places of rows in a store, and the requests that move them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_shape.hpp>

namespace gossip {

/// The store has blocks of columns, in a block the slots, in a slot the rows of all owners one
/// behind the other; where the shape is by owner, the one block has all columns. Slots are bits of
/// a set. T: an element of a row.
template <class T>
class store_layout {
 public:
  store_layout(fleet_size const &size, tier_shape const &shape)
      : size_(size),
        shape_(shape),
        row_(tier_shape::row_numbers<T>(size)),
        piece_(shape.by_owner ? row_ : shape.columns) {}

  /// Numbers of a row, and columns of a block in memory.
  std::size_t row() const { return row_; }
  std::size_t columns_of(std::size_t block) const {
    return std::min(shape_.columns, row_ - block * shape_.columns);
  }

  /// Adds requests for an owner's rows; frame (slots, row()).
  void add_rows(std::vector<store_request> &requests, std::size_t owner, std::uint32_t slots,
                T *frame, bool writes) const {
    for (std::size_t s = 0; s < size_.slots(); ++s)
      if ((slots >> s & 1) != 0 && owner < size_.rows_in(s))
        for (std::size_t c = 0; c < row_; c += piece_)
          requests.push_back({writes, address(s, owner, c),
                              bytes_of(frame + s * row_ + c, std::min(piece_, row_ - c))});
  }

  /// Adds requests for a block of columns of all rows: memory has the rows of slot after slot, or,
  /// where the shape is by owner, the rows of one slot.
  void add_block(std::vector<store_request> &requests, std::size_t block, std::uint32_t slots,
                 T *memory, bool writes) const {
    std::size_t const first = block * shape_.columns, width = columns_of(block);
    for (std::size_t s = 0; s < size_.slots(); ++s) {
      std::size_t const rows = size_.rows_in(s);
      if (rows == 0) continue;
      if ((slots >> s & 1) != 0 && !shape_.by_owner)
        requests.push_back({writes, address(s, 0, first), bytes_of(memory, rows * width)});
      else if ((slots >> s & 1) != 0)
        for (std::size_t i = 0; i < rows; ++i)
          requests.push_back({writes, address(s, i, first), bytes_of(memory + i * width, width)});
      if (!shape_.by_owner) memory += rows * width;
    }
  }

 private:
  /// The place, in bytes, of an owner's row of a slot from a column on.
  std::uint64_t address(std::size_t slot, std::size_t owner, std::size_t column) const {
    std::size_t const block = column / piece_, width = std::min(piece_, row_ - block * piece_);
    std::uint64_t const before = std::uint64_t{block} * piece_ * size_.all_rows() +
                                 (size_.rows_before(slot) + owner) * width;
    return (before + column - block * piece_) * sizeof(T);
  }
  static std::span<std::byte> bytes_of(T *first, std::size_t count) {
    return std::as_writable_bytes(std::span(first, count));
  }

  fleet_size size_;
  tier_shape shape_;
  std::size_t row_, piece_;  // numbers of a row; of a row in a block of the store
};

}  // namespace gossip
