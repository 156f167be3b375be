// Networks that are cut in two for a while.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// Nodes that reach each other alone, from one point of virtual time until another; all others, and
/// servers, are on the other side.
struct network_cut {
  std::vector<node> nodes{};  ///< of one side
  virtual_time from{0};
  virtual_time until = std::chrono::seconds(1);  ///< not included

  static constexpr char const *name = "network_cut";
  static constexpr char const *meaning = "a cut of the network into two sides for some time";
  static constexpr auto members() {
    return member_list{
        described("nodes", &network_cut::nodes, "nodes of one side of the cut",
                  {.most = node_limit - 1}),
        described("from", &network_cut::from, "virtual time at which the cut begins"),
        described("until", &network_cut::until, "virtual time at which the cut ends",
                  {.least = 1})};
  }
};

/// The times at which owners reach each other.
class cut_times {
 public:
  /// Throws input_error for nodes that are not below `nodes`, or times that cannot be.
  cut_times(std::vector<network_cut> const &cuts, std::size_t nodes);

  bool none() const { return sides_.empty(); }

  /// The first time from t on at which no cut is between two owners.
  virtual_time joined_from(node i, node j, virtual_time t) const;

 private:
  struct side {
    virtual_time from, until;
    std::vector<std::uint8_t> inside;  // (n)
    bool has(node i) const { return i < inside.size() && inside[i] != 0; }
  };
  std::vector<side> sides_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/network_cuts.ipp>
#endif
