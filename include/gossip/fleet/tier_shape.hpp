// What of rows that lie in a store is in memory, and the order of rows in the store.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/size.hpp>

namespace gossip {

/// Sizes of a tier: whole rows of some owners, and three blocks of columns of all rows.
struct tier_shape {
  static constexpr std::size_t blocks = 3;  ///< in memory at a time
  static constexpr std::size_t leases_ahead =
      3;  ///< of whole rows: written back, at work, expected

  std::size_t frames = 0;   ///< owners whose rows of all slots memory has room for
  std::size_t owners = 0;   ///< of a lease of whole rows: a third of the frames, or fewer
  std::size_t columns = 0;  ///< of a block: a multiple of lease_parts::unit
  bool by_owner = false;    ///< the store has whole rows, and a block in memory has one slot

  /// Numbers of a row, whole pages of the store.
  template <class T>
  static constexpr std::size_t row_numbers(fleet_size const &size) {
    constexpr std::size_t page = row_store::page / sizeof(T);
    return (size.parameters + page - 1) / page * page;
  }
  template <class T>
  constexpr std::size_t frame_numbers(fleet_size const &size) const {
    return size.slots() * row_numbers<T>(size);
  }
  /// Numbers of a block in memory.
  template <class T>
  constexpr std::size_t block_numbers(fleet_size const &size) const {
    std::size_t const rows = by_owner ? size.rows_in(0) : size.all_rows();
    return rows * std::min(columns, row_numbers<T>(size));
  }
  /// Bytes of memory; rows that are borrowed have all slots, and stay in it.
  template <class T>
  constexpr std::size_t bytes(fleet_size const &size) const {
    return ((frames + size.borrowed) * frame_numbers<T>(size) + blocks * block_numbers<T>(size)) *
           sizeof(T);
  }
  /// Bytes of the store.
  template <class T>
  static constexpr std::uint64_t stored_bytes(fleet_size const &size) {
    return std::uint64_t{size.all_rows()} * row_numbers<T>(size) * sizeof(T);
  }

  /// Throws input_error where no run could work with it.
  void check() const {
    lease_parts{owners, columns}.check();
    if (frames < leases_ahead * owners)
      throw input_error("tier: frames",
                        "at least " + std::to_string(leases_ahead) + " times the " +
                            std::to_string(owners) + " owners of a lease",
                        std::to_string(frames));
    if (owners < 2) throw input_error("tier: owners must be at least 2, got 1");
    if (columns == lease_parts::all) throw input_error("tier: columns must be given");
  }
};

}  // namespace gossip
