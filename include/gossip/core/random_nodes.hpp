// Nodes drawn at random, each once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// `count` of n nodes in random order, every such list with the same chance: the first places of a
/// shuffle, of which only the places that have changed are kept. uniform(): numbers of [0, 1), of
/// which `count` are drawn. O(count) memory and time.
template <class Uniform>
std::vector<node> random_nodes(std::size_t n, std::size_t count, Uniform uniform) {
  std::unordered_map<std::size_t, node> moved;
  auto const at = [&](std::size_t place) {
    auto const found = moved.find(place);
    return found == moved.end() ? static_cast<node>(place) : found->second;
  };
  std::vector<node> chosen(count);
  for (std::size_t k = 0; k < count; ++k) {
    auto const pick = k + static_cast<std::size_t>(uniform() * static_cast<double>(n - k));
    std::size_t const from = std::min(pick, n - 1);
    chosen[k] = at(from);
    moved[from] = at(k);
  }
  return chosen;
}

}  // namespace gossip
