// Definitions of data/limited_labels.hpp.
#pragma once

#include <gossip/data/limited_labels.hpp>

#include <algorithm>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition limited_labels::assign(std::span<std::uint16_t const> labels,
                                               std::size_t classes, std::size_t nodes,
                                               std::uint64_t seed) const {
  detail::check_enough_samples("limited_labels", labels.size(), nodes);
  if (per_node == 0 || per_node > classes)
    throw input_error("limited_labels: per_node",
                      "from 1 to " + std::to_string(classes) + " classes",
                      std::to_string(per_node));
  partition const by_class = group_by(labels, classes);
  std::vector<std::vector<node>> owners(classes);
  for (node i = 0; i < nodes; ++i)
    for (std::uint32_t const c : classes_of(i, classes, seed)) owners[c].push_back(i);
  std::vector<std::vector<std::uint32_t>> lists(nodes);
  for (node c = 0; c < classes; ++c) {
    std::vector<std::uint32_t> members(by_class[c].begin(), by_class[c].end());
    keyed_random random(seed, purpose::partition, c, 1);
    detail::shuffle(members, random);
    std::size_t const parts = owners[c].size();
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t k = members.size() * p / parts; k < members.size() * (p + 1) / parts; ++k)
        lists[owners[c][p]].push_back(members[k]);
  }
  return joined_lists(lists);
}

GOSSIP_INLINE std::vector<std::uint32_t> limited_labels::classes_of(node i, std::size_t classes,
                                                                    std::uint64_t seed) const {
  keyed_random random(seed, purpose::partition, i, 0);
  std::vector<std::uint32_t> chosen{static_cast<std::uint32_t>(i % classes)};
  while (chosen.size() < per_node) {
    std::uint32_t const c = random.below(static_cast<std::uint32_t>(classes));
    if (std::ranges::find(chosen, c) == chosen.end()) chosen.push_back(c);
  }
  return chosen;
}

}  // namespace gossip
