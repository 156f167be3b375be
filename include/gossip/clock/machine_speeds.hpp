// Speeds of machines, constant or piecewise constant over virtual time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// A node whose trainings take factor times as long, always or from one point of virtual time until
/// another; a factor below 1 makes it a quick one.
struct slow_node {
  node which = 0;
  double factor = 1.0;
  virtual_time from{0};
  virtual_time until = virtual_time::max();  ///< not included; the largest time: for ever

  static constexpr char const *name = "slow_node";
  static constexpr char const *meaning = "a node whose trainings are slower or faster by a factor";
  static constexpr auto members() {
    return member_list{
        described("node", &slow_node::which, "number of the node", {.most = node_limit - 1}),
        described("factor", &slow_node::factor, "factor on the duration of the node's trainings",
                  {.most = 1e9, .above_least = true}),
        described("from", &slow_node::from,
                  "virtual time at which the factor begins to hold; left out: the start of the run",
                  {.may_be_left_out = true}),
        described("until", &slow_node::until,
                  "virtual time at which the factor ceases to hold; left out: never",
                  {.least = 1, .may_be_left_out = true})};
  }
};

/// The factors of n nodes over virtual time. A training takes the time t for which the integral of
/// 1 / factor from its begin on, over t, is its normal time.
class machine_speeds {
 public:
  /// Throws input_error for a node, a factor or a time that cannot be used, and for two factors of
  /// a node at one time. O(n + m log m) for m slow nodes; nothing where there are none.
  machine_speeds(std::vector<slow_node> slow, std::size_t nodes);

  /// Whether every node has its normal speed at all times.
  bool all_normal() const { return first_.empty(); }

  /// What a training of node i takes that begins at this time, to the nearest nanosecond, at least
  /// 1 ns; throws input_error from 2^63 on. Needs a node of its own speed; logarithmic in its
  /// pieces.
  virtual_time stretched(virtual_time usual, node i, virtual_time begin) const;

 private:
  static constexpr double normal = 1.0;
  struct piece {
    virtual_time until;
    double factor;
  };

  static std::string text(virtual_time t) { return exact_duration(t); }

  [[noreturn]] static void refuse(slow_node const &slow, std::string const &expected,
                                  std::string const &got) {
    throw input_error("clock: slow node " + std::to_string(slow.which), expected, got);
  }

  static void check(slow_node const &slow, std::size_t nodes);

  std::vector<piece>::const_iterator at(std::size_t place) const {
    return pieces_.begin() + static_cast<std::ptrdiff_t>(place);
  }

  std::vector<std::size_t> first_;  // (n) into pieces_, or empty
  std::vector<piece> pieces_;       // of each node, ascending; the last is for ever
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/machine_speeds.ipp>
#endif
