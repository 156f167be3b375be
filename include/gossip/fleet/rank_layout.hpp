// Assignment of nodes to ranks, and places of their rows on a rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// Owners of rows besides nodes, each by the node with which it shares a rank.
struct attached_owners {
  std::vector<node> servers, payloads;
};

/// Every node is one rank's. A rank keeps the rows of its nodes in ascending order of the nodes.
class rank_layout {
 public:
  /// owners (n): the rank of each node, below `ranks`; `rank` is this one.
  rank_layout(std::vector<std::uint32_t> owners, std::size_t ranks, std::size_t rank,
              attached_owners const &attached = {});

  std::size_t nodes() const { return nodes_.size(); }
  /// Nodes, then servers, then payloads.
  std::size_t all() const { return owners_.size(); }
  std::size_t held_servers() const { return held_servers_; }
  std::size_t held_payloads() const { return held_payloads_; }
  /// All that this rank keeps rows of.
  std::size_t held() const { return own().size() + held_servers_ + held_payloads_; }
  std::size_t ranks() const { return offsets_.size() - 1; }
  std::size_t rank() const { return rank_; }

  /// (n) of the nodes.
  std::span<std::uint32_t const> owners() const { return std::span(owners_).first(nodes()); }
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

  /// Places of rows in a fleet of this rank, and from all() on of those that it borrows; (all() +
  /// borrowed). Nodes come first, then servers, borrowed rows and payloads. Rows that are elsewhere
  /// have place `elsewhere`.
  static constexpr std::uint32_t elsewhere = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places(std::size_t borrowed) const;

 private:
  std::vector<std::uint32_t> owners_;  // (n + servers + payloads)
  std::size_t rank_;
  std::vector<std::size_t> offsets_;  // (ranks + 1)
  std::vector<node> nodes_;           // (n) rank after rank
  std::size_t first_payload_, held_servers_ = 0, held_payloads_ = 0;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/fleet/detail/rank_layout.ipp>
#endif
