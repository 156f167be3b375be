// Nodes that are down, for a while or for good: they neither train nor send nor receive meanwhile.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/clock/network_cuts.hpp>
#include <gossip/clock/outage.hpp>
#include <gossip/clock/outage_trace.hpp>
#include <gossip/clock/units.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// Nodes that go down and come back, each at times of its own: a Markov process in continuous time,
/// so that times up and times down are exponential. All are up at the start.
struct churn {
  virtual_time up = std::chrono::hours(1);  ///< mean
  virtual_time down{0};                     ///< mean; 0: no node goes down

  static constexpr char const *name = "churn";
  static constexpr char const *meaning = "random times at which nodes go down and come back";
  static constexpr auto members() {
    return member_list{described("up", &churn::up, "mean duration that a node is up", {.least = 1}),
                       described("down", &churn::down,
                                 "mean duration that a node is down; 0s: no node goes down")};
  }
};

/// Nodes that are down once a day, each from an hour of its own on, drawn uniformly.
struct nights {
  virtual_time day = std::chrono::hours(24);  ///< with its night
  virtual_time down{0};                       ///< of each day; 0: no node goes down

  static constexpr char const *name = "nights";
  static constexpr char const *meaning = "nodes that are down for one period of each day";
  static constexpr auto members() {
    return member_list{
        described("day", &nights::day, "duration of a day, its night included", {.least = 1}),
        described("down", &nights::down,
                  "duration of the period of each day that a node is down; 0s: no node goes down")};
  }
};

/// The answer to a message that an outage or a cut holds up: others wait for it; for a time, and
/// then go on; or go on at once.
enum class after_outage { wait, time_out, go_on };

template <>
struct value_names<after_outage> {
  static constexpr std::array<char const *, 3> names{"wait", "time_out", "go_on"};
};

/// All of a network: a node is down where any of them says so, and two nodes do not reach each
/// other across a cut.
struct outages {
  std::vector<outage> listed{};
  gossip::churn churn{};
  gossip::nights nights{};
  std::vector<network_cut> cuts{};
  after_outage then = after_outage::wait;
  virtual_time timeout = std::chrono::seconds(1);  ///< time_out: from when a message is due
  std::string trace{};  ///< a CSV file with the columns node, from_s and until_s; empty: none

  /// The longest that a message is waited for beyond the time at which it is due.
  virtual_time patience() const {
    if (then == after_outage::wait) return virtual_time::max();
    return then == after_outage::time_out ? timeout : virtual_time(0);
  }

  static constexpr char const *name = "outages";
  static constexpr char const *meaning = "times at which nodes are down or the network is cut";
  static constexpr auto members() {
    return member_list{
        described("listed", &outages::listed, "list of nodes and the times at which they are down"),
        described("trace", &outages::trace,
                  "CSV file of outages, with columns node, from_s, until_s, gzipped or not; empty: "
                  "no file",
                  {.may_be_left_out = true}),
        described("churn", &outages::churn, "random durations that nodes are up and down"),
        described("nights", &outages::nights, "a period of each day in which each node is down"),
        described("cuts", &outages::cuts, "times at which the network is cut into two sides"),
        described("then", &outages::then, "reaction of a node that waits for a node that is down"),
        described("timeout", &outages::timeout,
                  "maximum wait for a message that is due, with time_out")};
  }
};

/// The times at which n nodes are up, checked. Owners from n on, servers, always are. Answers
/// depend on their arguments alone; what churn has drawn is kept, so that calls are not for several
/// threads.
class up_times {
 public:
  static constexpr virtual_time never = virtual_time::max();

  /// Throws input_error for nodes and times that cannot be.
  up_times(outages const &of, std::size_t nodes, std::uint64_t seed);

  /// True where no node is ever down or cut off.
  bool always() const { return always_; }

  /// True where node i goes down for good some time.
  bool crashes(node i) const {
    return i < nodes_ && !listed_.empty() && first_[i] < first_[i + 1] &&
           listed_[first_[i + 1] - 1].until == never;
  }

  /// The first time from t on at which node i is up, or never.
  virtual_time up_from(node i, virtual_time t) const;

  /// The end of what takes node i so long, from t on, and rests while it is down; or never.
  virtual_time after(node i, virtual_time t, virtual_time takes) const;

  /// The first time from t on at which both are up and reach each other, or never. Throws error
  /// where they miss each other a million times.
  virtual_time both_up(node i, node j, virtual_time t) const;

 private:
  void check(outages const &of) const;

  /// Outages by node and time; those that meet become one.
  void list(std::vector<outage> listed);

  /// The place of the first outage of node i that ends after t, or that behind its last.
  std::size_t next_outage(node i, virtual_time t) const;
  virtual_time up_as_listed(node i, virtual_time t) const {
    if (listed_.empty()) return t;
    std::size_t const at = next_outage(i, t);
    return at < first_[i + 1] && listed_[at].from <= t ? listed_[at].until : t;
  }
  virtual_time listed_from(node i, virtual_time t) const {
    if (listed_.empty() || i >= nodes_) return never;
    std::size_t const at = next_outage(i, t);
    return at < first_[i + 1] ? listed_[at].from : never;
  }

  /// The first change of node i after t, and whether it is one to down.
  struct change {
    virtual_time at;
    bool to_down;
  };
  change next_change(node i, virtual_time t) const;
  virtual_time up_in_churn(node i, virtual_time t) const {
    if (toggles_.empty()) return t;
    change const next = next_change(i, t);
    return next.to_down ? t : next.at;
  }
  virtual_time churn_from(node i, virtual_time t) const {
    return toggles_.empty() || i >= nodes_ ? never : next_change(i, t).at;
  }

  /// The time since a night of node i began, less than a day.
  virtual_time since_night(node i, virtual_time t) const;
  virtual_time up_by_day(node i, virtual_time t) const {
    if (nights_.down == virtual_time(0)) return t;
    virtual_time const since = since_night(i, t);
    return since < nights_.down ? t + (nights_.down - since) : t;
  }
  virtual_time night_from(node i, virtual_time t) const {
    if (nights_.down == virtual_time(0) || i >= nodes_) return never;
    return t + (nights_.day - since_night(i, t));
  }

  gossip::churn churn_;
  gossip::nights nights_;
  std::uint64_t seed_;
  std::size_t nodes_;
  cut_times cuts_;
  bool always_;
  std::vector<outage> listed_;                              // by node, ascending in time, apart
  std::vector<std::size_t> first_;                          // (n + 1) into listed_, or empty
  mutable std::vector<std::vector<virtual_time>> toggles_;  // (n) of churn: down, up, down, ...
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/outages.ipp>
#endif
