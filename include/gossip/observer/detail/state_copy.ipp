// Definitions of observer/detail/state_copy.hpp.
#pragma once

#include <gossip/observer/detail/state_copy.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void state_copy::touch() const {
  constexpr std::size_t page = 4096;
  for (part const &one : parts_)
    for (std::size_t at = 0; at < one.numbers.size() && !is_left_; at += page)
      one.numbers.data()[at] = {};
}

GOSSIP_INLINE void state_copy::part::reserve(state_part const &p) {
  held.assign(p.held.begin(), p.held.end());
  what = {p.name, p.kind, p.owners, held, p.each, {}, {}, {}};
  std::size_t const bytes = p.rows() * row_bytes();
  if (numbers.size() < bytes) {
    numbers = {};
    numbers = host_buffer<std::byte>(bytes);
  }
}

GOSSIP_INLINE state_part state_copy::part::described() const {
  state_part p = what;
  p.held = held;
  p.copy_out = [this](std::size_t first, std::size_t count, std::byte *to) {
    std::copy_n(numbers.data() + first * row_bytes(), count * row_bytes(), to);
  };
  return p;
}

}  // namespace gossip::detail
