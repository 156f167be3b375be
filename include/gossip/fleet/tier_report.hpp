// What a run has moved between memory and a store of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gossip {

/// The sizes of a tier, and the bytes that a run has moved between its memory and its store.
struct tier_report {
  std::string store;                    ///< its name, see row_store
  std::uint64_t bytes = 0;              ///< of all rows
  std::size_t frames = 0;               ///< owners whose rows memory has room for
  std::size_t columns = 0;              ///< of all rows that memory has at a time
  bool by_owner = false;                ///< whether the store has whole rows, or blocks of columns
  std::uint64_t read = 0, written = 0;  ///< bytes, since the first rows
  double waiting_seconds = 0;           ///< in which there was nothing to do but wait for rows
};

}  // namespace gossip
