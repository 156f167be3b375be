// Which rank holds which nodes, and where a rank keeps their rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// Every node has one owner. A rank keeps the rows of its nodes in ascending order of the nodes.
class rank_layout {
 public:
  /// owners (n): the rank of each node, below `ranks`; `rank` is this one.
  rank_layout(std::vector<std::uint32_t> owners, std::size_t ranks, std::size_t rank)
      : owners_(std::move(owners)), rank_(rank), offsets_(ranks + 1, 0), nodes_(owners_.size()) {
    for (std::uint32_t const owner : owners_) {
      if (owner >= ranks)
        throw input_error("ranks", "owners below " + std::to_string(ranks), std::to_string(owner));
      ++offsets_[owner + std::size_t{1}];
    }
    for (std::size_t r = 0; r < ranks; ++r) offsets_[r + 1] += offsets_[r];
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < owners_.size(); ++i)
      nodes_[next[owners_[i]]++] = static_cast<node>(i);
  }

  std::size_t nodes() const { return owners_.size(); }
  std::size_t ranks() const { return offsets_.size() - 1; }
  std::size_t rank() const { return rank_; }

  std::span<std::uint32_t const> owners() const { return owners_; }
  std::size_t owner(node i) const { return owners_[i]; }
  bool owns(node i) const { return owners_[i] == rank_; }

  /// The nodes of a rank, ascending.
  std::span<node const> nodes_of(std::size_t rank) const {
    return std::span(nodes_).subspan(offsets_[rank], offsets_[rank + 1] - offsets_[rank]);
  }
  std::span<node const> own() const { return nodes_of(rank_); }

  /// The place of a node's row among those of its rank.
  std::size_t place(node i) const {
    auto const all = nodes_of(owners_[i]);
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), i) - all.begin());
  }

  /// The most nodes that a rank has.
  std::size_t most() const {
    std::size_t most = 0;
    for (std::size_t r = 0; r < ranks(); ++r) most = std::max(most, nodes_of(r).size());
    return most;
  }

  /// Where a fleet of this rank keeps the rows of its nodes, and from nodes() on those that it
  /// borrows; (nodes() + borrowed). Rows that are elsewhere have place `elsewhere`.
  static constexpr std::uint32_t elsewhere = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places(std::size_t borrowed) const {
    std::vector<std::uint32_t> places(nodes() + borrowed, elsewhere);
    std::uint32_t next = 0;
    for (node const i : own()) places[i] = next++;
    for (std::size_t k = 0; k < borrowed; ++k) places[nodes() + k] = next++;
    return places;
  }

 private:
  std::vector<std::uint32_t> owners_;  // (n)
  std::size_t rank_;
  std::vector<std::size_t> offsets_;  // (ranks + 1)
  std::vector<node> nodes_;           // (n) rank after rank
};

}  // namespace gossip
