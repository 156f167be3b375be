// Definitions of engine/host/stage_sums.hpp.
#pragma once

#include <gossip/engine/host/stage_sums.hpp>

#include <gossip/core/bits.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE bool stage_sums::is_made(std::span<operation const> operations, std::uint32_t place) {
  operation const &o = operations[place];
  if (!o.reduces_others()) return false;
  if (made_.empty()) made_.assign(bit_ceil(2 * operations.size()), none);
  std::uint64_t const nodes = std::uint64_t{o.a} << 32 | o.b();
  std::uint64_t const word =
      (nodes ^ o.rows.word() * 31 ^ o.reduce_rows().function) * 0x9E3779B97F4A7C15U;
  for (std::size_t at = word >> 32;; ++at) {
    std::uint32_t &entry = made_[at & (made_.size() - 1)];
    if (entry == none) {
      entry = place;
      return false;
    }
    operation const &other = operations[entry];
    if (other.rows == o.rows && other.a == o.a && other.b() == o.b() &&
        other.reduce_rows().function == o.reduce_rows().function) {
      repeated_.push_back({place, entry});
      return true;
    }
  }
}

GOSSIP_INLINE void stage_sums::add_rows(operation const &o) {
  for (std::size_t k = 0; k < o.rows.size(); ++k) {
    row_access const one = o.rows[k];
    row const wanted{one.slot, o.owner(one)};
    std::size_t place = 0;
    while (place < open_.rows && rows_[open_.first_row + place] != wanted) ++place;
    if (place == open_.rows) {
      rows_.push_back(wanted);
      ++open_.rows;
    }
    sums_.back().places[k] = static_cast<std::uint8_t>(place);
    ++uses_;
  }
}

GOSSIP_INLINE void stage_sums::close() {
  if (uses_ < 2 * open_.rows) {
    rows_.resize(open_.first_row);
    open_.rows = 0;
  }
  if (open_.count > 0) groups_.push_back(open_);
  open_ = {static_cast<std::uint32_t>(sums_.size()), 0, static_cast<std::uint32_t>(rows_.size()),
           0};
  uses_ = 0;
}

}  // namespace gossip
