// Definitions of data/sample_assignment.hpp.
#pragma once

#include <gossip/data/sample_assignment.hpp>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE partition::partition(std::vector<std::uint32_t> offsets,
                                   std::vector<std::uint32_t> samples)
    : offsets_(std::move(offsets)), samples_(std::move(samples)) {
  if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != samples_.size())
    throw input_error("partition",
                      "offsets from 0 to the " + std::to_string(samples_.size()) + " samples",
                      offsets_.empty() ? "none" : std::to_string(offsets_.back()));
  for (std::size_t i = 1; i < offsets_.size(); ++i)
    if (offsets_[i] < offsets_[i - 1])
      throw input_error("partition: node " + std::to_string(i - 1), "ascending offsets",
                        std::to_string(offsets_[i - 1]) + " before " + std::to_string(offsets_[i]));
}

GOSSIP_INLINE partition cut_evenly(std::vector<std::uint32_t> samples, std::size_t nodes) {
  std::vector<std::uint32_t> offsets(nodes + 1);
  for (std::size_t i = 0; i <= nodes; ++i)
    offsets[i] = static_cast<std::uint32_t>(samples.size() * i / nodes);
  return {std::move(offsets), std::move(samples)};
}

GOSSIP_INLINE partition joined_lists(std::vector<std::vector<std::uint32_t>> const &lists) {
  std::vector<std::uint32_t> offsets{0}, samples;
  for (auto const &list : lists) {
    samples.insert(samples.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::uint32_t>(samples.size()));
  }
  return {std::move(offsets), std::move(samples)};
}

}  // namespace gossip
