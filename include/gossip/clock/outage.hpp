// One outage of one node.
#pragma once

#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// A node that is down from one point of virtual time until another, or for good.
struct outage {
  node which = 0;
  virtual_time from{0};
  virtual_time until = virtual_time::max();  ///< not included; the largest time: for good

  static constexpr char const *name = "outage";
  static constexpr char const *meaning = "a node that is down for some time";
  static constexpr auto members() {
    return member_list{
        described("node", &outage::which, "number of the node", {.most = node_limit - 1}),
        described("from", &outage::from, "virtual time at which the node goes down"),
        described("until", &outage::until,
                  "virtual time at which the node comes back; left out: never",
                  {.least = 1, .may_be_left_out = true})};
  }
};

}  // namespace gossip
