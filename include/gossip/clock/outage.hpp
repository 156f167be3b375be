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
  static constexpr char const *meaning = "a node that is down for a while";
  static constexpr auto members() {
    return member_list{described("node", &outage::which, "which", {.most = node_limit - 1}),
                       described("from", &outage::from, "a point of virtual time"),
                       described("until", &outage::until, "another; left out: for good",
                                 {.least = 1, .may_be_left_out = true})};
  }
};

}  // namespace gossip
