// Definitions of plan/fragment.hpp.
#pragma once

#include <gossip/plan/fragment.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/plan/refusals.hpp>

namespace gossip::detail {

GOSSIP_INLINE void require_fragment(node i, fragment const &f, std::size_t columns) {
  if (f.count == 0) refuse_node(i, "names a fragment of no columns");
  if (f.first >= columns || f.count > columns - f.first)
    refuse_node(i, "names a fragment of " + std::to_string(f.count) + " columns from " +
                       std::to_string(f.first) + " on; expected some of the " +
                       std::to_string(columns) + " of the parameters");
}

GOSSIP_INLINE fragment nth_fragment(std::size_t k, std::size_t n, std::size_t columns) {
  if (k >= n || n > columns)
    throw error("exchange: names fragment " + std::to_string(k) + " of " + std::to_string(n) +
                "; expected 0 to n - 1, and n at most the " + std::to_string(columns) +
                " columns of the parameters");
  auto const begin = [&](std::size_t l) {  // columns * l / n, which could overflow
    return columns / n * l + columns % n * l / n;
  };
  return {begin(k), begin(k + 1) - begin(k)};
}

}  // namespace gossip::detail
