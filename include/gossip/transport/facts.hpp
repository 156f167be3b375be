// Settings that all ranks must share: names and values, compared before a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

namespace gossip {

using fact_list = std::vector<std::pair<std::string, std::string>>;

/// Throws input_error for the first fact that is another on some rank than on rank 0; of all ranks.
inline void require_equal_facts(std::span<fact_list const> all) {
  for (std::size_t r = 1; r < all.size(); ++r)
    for (std::size_t k = 0; k < std::min(all[r].size(), all[0].size()); ++k)
      if (all[r][k] != all[0][k])
        throw input_error("ranks: expected identical runs on all ranks, got " + all[r][k].first +
                          " " + all[r][k].second + " on rank " + std::to_string(r) + " and " +
                          all[0][k].second + " on rank 0");
}

}  // namespace gossip
