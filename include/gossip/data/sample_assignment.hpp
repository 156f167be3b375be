// The assignment of samples to nodes: lists of sample indices, one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// For every node a list of sample indices. Lists may be empty here; a split refuses that.
class partition {
 public:
  /// Node i gets samples[offsets[i]] to samples[offsets[i + 1] - 1]; (nodes + 1) offsets.
  partition(std::vector<std::uint32_t> offsets, std::vector<std::uint32_t> samples);

  std::size_t nodes() const { return offsets_.size() - 1; }

  /// Number of samples of node i.
  std::size_t size(node i) const { return offsets_[i + 1] - offsets_[i]; }

  /// The samples of node i.
  std::span<std::uint32_t const> operator[](node i) const {
    return std::span(samples_).subspan(offsets_[i], size(i));
  }

  /// The samples of all nodes, node after node.
  std::span<std::uint32_t const> samples() const { return samples_; }

  friend bool operator==(partition const &, partition const &) = default;

 private:
  std::vector<std::uint32_t> offsets_;  // (nodes + 1)
  std::vector<std::uint32_t> samples_;
};

/// Indices 0, 1, ... of owner by the group that owns them, ascending within a group; O(size).
template <class Group>
partition group_by(std::span<Group const> owner, std::size_t groups) {
  checked_index(owner.size(), "partition");
  std::vector<std::uint32_t> offsets(groups + 1, 0);
  for (Group const g : owner) {
    if (g >= groups)
      throw input_error("partition", "a group below " + std::to_string(groups), std::to_string(g));
    ++offsets[g + 1];
  }
  for (std::size_t g = 0; g < groups; ++g) offsets[g + 1] += offsets[g];
  std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<std::uint32_t> members(owner.size());
  for (std::size_t i = 0; i < owner.size(); ++i)
    members[next[owner[i]]++] = static_cast<std::uint32_t>(i);
  return {std::move(offsets), std::move(members)};
}

/// Samples in a given order, cut in parts whose sizes differ by one sample at most.
partition cut_evenly(std::vector<std::uint32_t> samples, std::size_t nodes);

/// The partition of one list a node.
partition joined_lists(std::vector<std::vector<std::uint32_t>> const &lists);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/sample_assignment.ipp>
#endif
