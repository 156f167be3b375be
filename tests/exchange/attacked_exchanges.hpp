// Robust gossip among as many attackers as a network of any size stands, by a rule that reads
// models again and again and one that compares those of others; for tests of engines.
#pragma once

#include <gossip/aggregation/geometric_median.hpp>
#include <gossip/aggregation/krum.hpp>
#include <gossip/attack/dissensus.hpp>
#include <gossip/attack/little_is_enough.hpp>
#include <gossip/exchange/robust_gossip.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/exchange_properties.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gossip::test {

/// Two attackers, fewer among fewer than five nodes.
struct attacked_gossip {
  using method = robust_gossip<aggregation::geometric_median, attack::little_is_enough>;
  using other = robust_gossip<aggregation::krum, attack::dissensus>;

  static constexpr std::size_t rows = std::max(method::rows, other::rows);

  void on_round(auto &plan, round_number k) const {
    auto const most = static_cast<std::uint32_t>((plan.nodes() - 1) / 2), some = std::min(2U, most);
    if (k % 2 == 0)
      method{{.iterations = 1}, {.deviations = 1}, some}.on_round(plan, k);
    else
      other{{.byzantine = 0, .selected = 2}, {.scale = 0.5}, some}.on_round(plan, k);
  }
  static constexpr exchange_properties properties() { return method{}.properties(); }
  auto weights(graph const &g) const { return method{}.weights(g); }
};

}  // namespace gossip::test
