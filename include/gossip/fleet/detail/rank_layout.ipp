// Definitions of fleet/rank_layout.hpp.
#pragma once

#include <gossip/fleet/rank_layout.hpp>

#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE rank_layout::rank_layout(std::vector<std::uint32_t> owners, std::size_t ranks,
                                       std::size_t rank, attached_owners const &attached)
    : owners_(std::move(owners)),
      rank_(rank),
      offsets_(ranks + 1, 0),
      nodes_(owners_.size()),
      first_payload_(owners_.size() + attached.servers.size()) {
  for (std::uint32_t const owner : owners_) {
    if (owner >= ranks)
      throw input_error("ranks", "owners below " + std::to_string(ranks), std::to_string(owner));
    ++offsets_[owner + std::size_t{1}];
  }
  for (std::size_t r = 0; r < ranks; ++r) offsets_[r + 1] += offsets_[r];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < owners_.size(); ++i)
    nodes_[next[owners_[i]]++] = static_cast<node>(i);
  for (auto const *const more : {&attached.servers, &attached.payloads})
    for (node const with : *more) owners_.push_back(owners_[with]);
  auto const here = [&](std::size_t first, std::size_t last) {
    auto const begin = owners_.begin();
    return static_cast<std::size_t>(std::count(begin + static_cast<std::ptrdiff_t>(first),
                                               begin + static_cast<std::ptrdiff_t>(last),
                                               static_cast<std::uint32_t>(rank)));
  };
  held_servers_ = here(nodes_.size(), first_payload_);
  held_payloads_ = here(first_payload_, owners_.size());
}

GOSSIP_INLINE std::vector<std::uint32_t> rank_layout::places(std::size_t borrowed) const {
  std::vector<std::uint32_t> places(all() + borrowed, elsewhere);
  std::uint32_t next = 0;
  for (node const i : own()) places[i] = next++;
  auto const attached = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (owners_[i] == rank_) places[i] = next++;
  };
  attached(nodes(), first_payload_);
  for (std::size_t k = 0; k < borrowed; ++k) places[all() + k] = next++;
  attached(first_payload_, all());
  return places;
}

}  // namespace gossip
