// Settings that all ranks must share: names and values, compared before a run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gossip {

using fact_list = std::vector<std::pair<std::string, std::string>>;

/// Throws input_error for the first fact that is another on some rank than on rank 0; of all ranks.
void require_equal_facts(std::span<fact_list const> all);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/transport/detail/facts.ipp>
#endif
