// Definitions of data/shards.hpp.
#pragma once

#include <gossip/data/shards.hpp>

#include <numeric>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition shards::assign(std::span<std::uint16_t const> labels, std::size_t classes,
                                       std::size_t nodes, std::uint64_t seed) const {
  std::size_t const count = check(labels.size(), nodes);
  partition const sorted = group_by(labels, classes);
  std::vector<std::uint32_t> deck(count);
  std::iota(deck.begin(), deck.end(), 0U);
  keyed_random random(seed, purpose::partition, 0, 0);
  detail::shuffle(deck, random);

  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> samples;
  offsets.reserve(nodes + 1);
  samples.reserve(labels.size());
  for (std::size_t turn = 0; turn < count; ++turn) {
    std::size_t const begin = labels.size() * deck[turn] / count;
    std::size_t const end = labels.size() * (deck[turn] + std::size_t{1}) / count;
    auto const shard = sorted.samples().subspan(begin, end - begin);
    samples.insert(samples.end(), shard.begin(), shard.end());
    if ((turn + 1) % per_node == 0) offsets.push_back(static_cast<std::uint32_t>(samples.size()));
  }
  return {std::move(offsets), std::move(samples)};
}

GOSSIP_INLINE std::size_t shards::check(std::size_t samples, std::size_t nodes) const {
  detail::check_enough_samples("shards", samples, nodes);
  if (per_node == 0) throw input_error("shards: per_node", "at least 1", "0");
  if (per_node > samples / nodes)
    throw input_error("shards",
                      "a sample for each of " + std::to_string(per_node) + " shards per node, " +
                          std::to_string(nodes) + " nodes",
                      std::to_string(samples) + " samples");
  return nodes * per_node;
}

}  // namespace gossip
