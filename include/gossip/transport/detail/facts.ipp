// Definitions of transport/facts.hpp.
#pragma once

#include <gossip/transport/facts.hpp>

#include <algorithm>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void require_equal_facts(std::span<fact_list const> all) {
  for (std::size_t r = 1; r < all.size(); ++r)
    for (std::size_t k = 0; k < std::min(all[r].size(), all[0].size()); ++k)
      if (all[r][k] != all[0][k])
        throw input_error("ranks: expected identical runs on all ranks, got " + all[r][k].first +
                          " " + all[r][k].second + " on rank " + std::to_string(r) + " and " +
                          all[0][k].second + " on rank 0");
}

}  // namespace gossip
