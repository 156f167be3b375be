// So many classes a node and no more. Q. Li, Y. Diao, Q. Chen, B. He, "Federated learning on
// non-IID data silos: an experimental study", ICDE 2022, section 4: quantity-based label imbalance.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Node i has class i modulo the number of classes and per_node - 1 others, drawn; a class is
/// shared evenly among the nodes that have it. Samples of a class that nobody has are left out.
struct limited_labels {
  std::size_t per_node = 2;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
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

  static constexpr char const *name = "limited_labels";
  static constexpr char const *meaning = "each node has samples of a limited number of classes";
  static constexpr auto members() {
    return member_list{described("per_node", &limited_labels::per_node,
                                 "number of classes of a node", {.least = 1, .most = 65535})};
  }

 private:
  std::vector<std::uint32_t> classes_of(node i, std::size_t classes, std::uint64_t seed) const {
    keyed_random random(seed, purpose::partition, i, 0);
    std::vector<std::uint32_t> chosen{static_cast<std::uint32_t>(i % classes)};
    while (chosen.size() < per_node) {
      std::uint32_t const c = random.below(static_cast<std::uint32_t>(classes));
      if (std::ranges::find(chosen, c) == chosen.end()) chosen.push_back(c);
    }
    return chosen;
  }
};

static_assert(split_policy<limited_labels>);

}  // namespace gossip
