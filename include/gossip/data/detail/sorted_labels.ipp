// Definitions of data/sorted_labels.hpp.
#pragma once

#include <gossip/data/sorted_labels.hpp>

#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition sorted_labels::assign(std::span<std::uint16_t const> labels,
                                              std::size_t classes, std::size_t nodes,
                                              std::uint64_t seed) const {
  detail::check_enough_samples("sorted_labels", labels.size(), nodes);
  partition const by_class = group_by(labels, classes);
  std::vector<std::uint32_t> samples(by_class.samples().begin(), by_class.samples().end());
  std::size_t begin = 0;
  for (node c = 0; c < classes; begin += by_class.size(c++)) {
    keyed_random random(seed, purpose::partition, c, 0);
    detail::shuffle(std::span(samples).subspan(begin, by_class.size(c)), random);
  }
  return cut_evenly(std::move(samples), nodes);
}

}  // namespace gossip
