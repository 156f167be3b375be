// Assignment of nodes to ranks, and places of their rows on a rank.
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

/// Owners of rows besides nodes, each by the node with which it shares a rank.
struct attached_owners {
  std::vector<node> servers, payloads;
};

/// Every node is one rank's. A rank keeps the rows of its nodes in ascending order of the nodes.
class rank_layout {
 public:
  /// owners (n): the rank of each node, below `ranks`; `rank` is this one.
  rank_layout(std::vector<std::uint32_t> owners, std::size_t ranks, std::size_t rank,
              attached_owners const &attached = {})
      : owners_(std::move(owners)),
        rank_(rank),
        offsets_(ranks + 1, 0),
        nodes_(owners_.size()),
        first_payload_(owners_.size() + attached.servers.size()) {
    for (std::uint32_t const owner : owners_) {
      if (owner >= ranks)
        throw input_error("ranks", "owners below " + std::to_string(ranks), std::to_string(owner));
      ++offsets_[owner + std::size_t{1}];
    }
    for (std::size_t r = 0; r < ranks; ++r) offsets_[r + 1] += offsets_[r];
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < owners_.size(); ++i)
      nodes_[next[owners_[i]]++] = static_cast<node>(i);
    for (auto const *const more : {&attached.servers, &attached.payloads})
      for (node const with : *more) owners_.push_back(owners_[with]);
    auto const here = [&](std::size_t first, std::size_t last) {
      auto const begin = owners_.begin();
      return static_cast<std::size_t>(std::count(begin + static_cast<std::ptrdiff_t>(first),
                                                 begin + static_cast<std::ptrdiff_t>(last),
                                                 static_cast<std::uint32_t>(rank)));
    };
    held_servers_ = here(nodes_.size(), first_payload_);
    held_payloads_ = here(first_payload_, owners_.size());
  }

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
  std::vector<std::uint32_t> places(std::size_t borrowed) const {
    std::vector<std::uint32_t> places(all() + borrowed, elsewhere);
    std::uint32_t next = 0;
    for (node const i : own()) places[i] = next++;
    auto const attached = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        if (owners_[i] == rank_) places[i] = next++;
    };
    attached(nodes(), first_payload_);
    for (std::size_t k = 0; k < borrowed; ++k) places[all() + k] = next++;
    attached(first_payload_, all());
    return places;
  }

 private:
  std::vector<std::uint32_t> owners_;  // (n + servers + payloads)
  std::size_t rank_;
  std::vector<std::size_t> offsets_;  // (ranks + 1)
  std::vector<node> nodes_;           // (n) rank after rank
  std::size_t first_payload_, held_servers_ = 0, held_payloads_ = 0;
};

}  // namespace gossip
