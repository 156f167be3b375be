// So many classes a node and no more. Q. Li, Y. Diao, Q. Chen, B. He, "Federated learning on
// non-IID data silos: an experimental study", ICDE 2022, section 4: quantity-based label imbalance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/data/split.hpp>

namespace gossip {

/// Node i has class i modulo the number of classes and per_node - 1 others, drawn; a class is
/// shared evenly among the nodes that have it. Samples of a class that nobody has are left out.
struct limited_labels {
  std::size_t per_node = 2;

  partition assign(std::span<std::uint16_t const> labels, std::size_t classes, std::size_t nodes,
                   std::uint64_t seed) const;

  static constexpr char const *name = "limited_labels";
  static constexpr char const *meaning = "each node has samples of a limited number of classes";
  static constexpr auto members() {
    return member_list{described("per_node", &limited_labels::per_node,
                                 "number of classes of a node", {.least = 1, .most = 65535})};
  }

 private:
  std::vector<std::uint32_t> classes_of(node i, std::size_t classes, std::uint64_t seed) const;
};

static_assert(split_policy<limited_labels>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/limited_labels.ipp>
#endif
