// Networks that are cut in two for a while.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
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
  cut_times(std::vector<network_cut> const &cuts, std::size_t nodes) {
    for (network_cut const &cut : cuts) {
      if (cut.from < virtual_time(0) || cut.until <= cut.from || cut.until == virtual_time::max())
        throw input_error("clock: cut", "a time of at least 0ns and a later time",
                          exact_duration(cut.from) + " and " + exact_duration(cut.until));
      sides_.push_back({cut.from, cut.until, std::vector<std::uint8_t>(nodes)});
      for (node const i : cut.nodes) {
        if (i >= nodes)
          throw input_error("clock: cut", "nodes below " + std::to_string(nodes),
                            std::to_string(i));
        sides_.back().inside[i] = 1;
      }
    }
  }

  bool none() const { return sides_.empty(); }

  /// The first time from t on at which no cut is between two owners.
  virtual_time joined_from(node i, node j, virtual_time t) const {
    for (bool moved = true; moved;) {
      moved = false;
      for (side const &one : sides_)
        if (one.from <= t && t < one.until && one.has(i) != one.has(j)) {
          t = one.until;
          moved = true;
        }
    }
    return t;
  }

 private:
  struct side {
    virtual_time from, until;
    std::vector<std::uint8_t> inside;  // (n)
    bool has(node i) const { return i < inside.size() && inside[i] != 0; }
  };
  std::vector<side> sides_;
};

}  // namespace gossip
