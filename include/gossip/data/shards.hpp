// Sorted by label and dealt out in shards: every node sees a few classes only.
// B. McMahan, E. Moore, D. Ramage, S. Hampson, B. Aguera y Arcas, "Communication-efficient learning
// of deep networks from decentralized data", AISTATS 2017, section 3.
#pragma once

#include <numeric>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Samples sorted by label, cut in nodes * per_node shards of equal size (within one sample); each
/// node gets per_node of them at random.
struct shards {
  std::size_t per_node = 2;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const {
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

  static constexpr char const *name = "shards";
  static constexpr char const *meaning =
      "samples sorted by class, cut into shards that are dealt out to nodes";
  static constexpr auto members() {
    return member_list{described("per_node", &shards::per_node, "number of shards of a node",
                                 {.least = 1, .most = node_limit})};
  }

 private:
  std::size_t check(std::size_t samples, std::size_t nodes) const {
    detail::check_enough_samples("shards", samples, nodes);
    if (per_node == 0) throw input_error("shards: per_node", "at least 1", "0");
    if (per_node > samples / nodes)
      throw input_error("shards",
                        "a sample for each of " + std::to_string(per_node) + " shards per node, " +
                            std::to_string(nodes) + " nodes",
                        std::to_string(samples) + " samples");
    return nodes * per_node;
  }
};

static_assert(split_policy<shards>);

}  // namespace gossip
