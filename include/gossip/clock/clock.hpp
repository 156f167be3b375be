// The contract of the virtual clock: how long a training and a transfer take, for every node.
//
// A compute-time model is a copyable aggregate of hyper-parameters with the member function
//
//   virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const;
//
// the time of training number step of node i on a machine of normal speed, at least 1 ns, drawn
// from keyed_random(seed, purpose::compute_time, i, step) only, and what several trainings share
// from purpose::machine_state. Optional, found with requires:
//
//   auto prepare() const;   // throws input_error, in a sentence, for hyper-parameters that cannot
//                           // be used; returns what has the same duration() with constants
//                           computed
//
// Logarithms and the like come from gossip::elementary: one bit reorders events. A complete model:
//
//   struct alternating_time {
//     virtual_time short_one{1'000'000}, long_one{3'000'000};  // nanoseconds
//     virtual_time duration(std::uint64_t, node, std::uint64_t step) const {
//       return step % 2 == 0 ? short_one : long_one;
//     }
//   };
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/clock/collective.hpp>
#include <gossip/clock/contention.hpp>
#include <gossip/clock/link.hpp>
#include <gossip/clock/links.hpp>
#include <gossip/clock/machine_kind.hpp>
#include <gossip/clock/machine_speeds.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/message_network.hpp>
#include <gossip/clock/next_times.hpp>
#include <gossip/clock/outages.hpp>
#include <gossip/clock/participation.hpp>
#include <gossip/clock/prepared_times.hpp>
#include <gossip/clock/speed_trace.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

template <class Model>
concept compute_model = requires(Model const model, std::uint64_t number, node i) {
  { model.duration(number, i, number) } -> std::same_as<virtual_time>;
};

/// Compute times, links and the nodes that differ:
/// virtual_clock{.compute = lognormal_time{}, .network = link{}, .slow = {{.which = 0, .factor =
/// 10}}}.
template <class Compute>
struct virtual_clock {
  static_assert(
      compute_model<Compute>,
      "gossip::virtual_clock: compute must have virtual_time duration(uint64_t seed, node i, "
      "uint64_t step) const. See docs/policies/clock.md");

  Compute compute{};
  link network{};
  std::vector<slow_node> slow{};
  std::vector<machine_kind<Compute>> kinds{};
  gossip::contention contention = gossip::contention::none;
  differing_links links{};
  gossip::outages outages{};
  message_loss loss{};
  gossip::participation participation{};
  gossip::collective collective = gossip::collective::ring;
  std::size_t collective_parts = 16;  ///< of a row on a chain
  std::string speeds{};               ///< a CSV file of nodes that are slow for a time; empty: none

  network_outline outline() const { return {network, links, contention}; }

  static constexpr char const *name = "clock";
  static constexpr char const *meaning = "the simulated machines and their network";
  static constexpr auto members() {
    return member_list{
        described("compute", &virtual_clock::compute, "duration of a training"),
        described("link", &virtual_clock::network, "duration of a message"),
        described("slow", &virtual_clock::slow,
                  "nodes whose trainings are slower or faster by a factor"),
        described("kinds", &virtual_clock::kinds,
                  "kinds of machines, each with a share or a list of the nodes"),
        described("contention", &virtual_clock::contention,
                  "sharing of bandwidth by messages that travel at the same time"),
        described("links", &virtual_clock::links,
                  "nodes, edges and regions whose latency and bandwidth differ from link"),
        described("outages", &virtual_clock::outages,
                  "times at which nodes are down or the network is cut"),
        described("loss", &virtual_clock::loss, "loss of messages"),
        described("participation", &virtual_clock::participation,
                  "participation of nodes in rounds"),
        described("collective", &virtual_clock::collective, "algorithm of an all-reduce"),
        described("collective_parts", &virtual_clock::collective_parts,
                  "number of parts into which a chain divides a row, to send them in a pipeline",
                  {.least = 1}),
        described("speeds", &virtual_clock::speeds,
                  "CSV file of factors on the duration of trainings, with columns node, from_s, "
                  "until_s, factor, gzipped or not; empty: no file",
                  {.may_be_left_out = true})};
  }
};

/// The same clock with convert(model) in the place of each compute-time model.
template <class Compute, class F>
auto converted(virtual_clock<Compute> const &clock, F convert) {
  using other = decltype(convert(clock.compute));
  virtual_clock<other> made{convert(clock.compute),
                            clock.network,
                            clock.slow,
                            {},
                            clock.contention,
                            clock.links,
                            clock.outages,
                            clock.loss,
                            clock.participation,
                            clock.collective,
                            clock.collective_parts,
                            clock.speeds};
  for (machine_kind<Compute> const &kind : clock.kinds) {
    made.kinds.push_back({kind.share, kind.nodes, kind.factor, {}});
    if (kind.compute) made.kinds.back().compute = convert(*kind.compute);
  }
  return made;
}

/// The same clock for planners, which are compiled once for all compute times, with links that are
/// read from their file. Throws input_error where it cannot be used.
using prepared_clock = virtual_clock<prepared_times>;
template <class Compute>
prepared_clock prepared(virtual_clock<Compute> const &clock) {
  auto const times = [](Compute const &compute) { return prepared_times::of(compute); };
  prepared_clock made = converted(clock, times);
  made.links = made.links.with_matrix();
  return made;
}

/// A clock for n nodes, checked, for a planner. Each answer depends on its arguments alone; that of
/// next_time is right for a node's steps in their order, of one seed.
class node_clock {
 public:
  /// seed: of the run, which draws the nodes of each kind. Throws input_error for times, factors,
  /// shares or nodes that cannot be used.
  template <class Compute>
  node_clock(virtual_clock<Compute> const &of, std::size_t nodes, std::uint64_t seed = 0)
      : compute_(prepared_times::of(of.compute)),
        next_(compute_, nodes),
        network_(of.network),
        speeds_(with_trace(of.slow, of.speeds, nodes), nodes),
        up_(of.outages, nodes, seed),
        patience_(of.outages.patience()),
        kind_of_(kinds_of_nodes(of.kinds, nodes, seed)) {
    network_.check();
    of.loss.check();
    of.participation.check();
    for (machine_kind<Compute> const &kind : of.kinds) {
      auto const &compute = kind.compute;
      kinds_.push_back({compute ? prepared_times::of(*compute) : compute_, kind.factor});
    }
    alike_ = kind_of_.empty() && speeds_.all_normal() && up_.always();
  }

  /// The time of training number step of node i, which begins then, 1 ns or more, with its rests
  /// while the node is down, or never; throws input_error from 2^63 on. Slow times count as if it
  /// did not rest.
  virtual_time compute_time(std::uint64_t seed, node i, std::uint64_t step,
                            virtual_time begin = virtual_time(0)) const {
    if (alike_) return compute_.duration(seed, i, step);
    return time_where_unlike(seed, i, step, begin);
  }
  /// compute_time() for one that plans: of one seed, the steps of a node in order, from 0 on.
  virtual_time next_time(std::uint64_t seed, node i, std::uint64_t step, virtual_time begin) {
    if (alike_) return next_(compute_, seed, i, step);
    return time_where_unlike(seed, i, step, begin);
  }
  /// The same without rests.
  virtual_time time_at_work(std::uint64_t seed, node i, std::uint64_t step,
                            virtual_time begin) const {
    virtual_time const usual =
        kind_of_.empty() ? compute_.duration(seed, i, step) : time_of_kind(seed, i, step);
    return speeds_.all_normal() ? usual : speeds_.stretched(usual, i, begin);
  }

  static constexpr virtual_time never = up_times::never;
  bool always_up() const { return up_.always(); }
  bool crashes(node i) const { return up_.crashes(i); }
  /// True where others go on without those who are down, and how long they wait for a message.
  bool excludes() const { return !up_.always() && patience_ != never; }
  virtual_time patience() const { return patience_; }
  /// The first time from t on at which a message between these owners can begin: both are up, or
  /// never.
  virtual_time both_up(node i, node j, virtual_time t) const {
    return up_.always() ? t : up_.both_up(i, j, t);
  }

  /// The time a message of this size takes from one node to another.
  virtual_time transfer_time(std::size_t bytes) const { return network_.transfer(bytes); }

 private:
  struct prepared_kind {
    prepared_times compute;
    double factor;
  };

  [[gnu::noinline]] virtual_time time_where_unlike(std::uint64_t seed, node i, std::uint64_t step,
                                                   virtual_time begin) const {
    virtual_time const own = time_at_work(seed, i, step, begin);
    if (up_.always()) return own;
    virtual_time const end = up_.after(i, begin, own);
    return end == never ? never : end - begin;
  }

  virtual_time time_of_kind(std::uint64_t seed, node i, std::uint64_t step) const {
    if (kind_of_[i] == 0) return compute_.duration(seed, i, step);
    prepared_kind const &kind = kinds_[kind_of_[i] - 1];
    virtual_time const time = kind.compute.duration(seed, i, step);
    if (kind.factor == 1.0) return time;
    return std::max(
        virtual_time(1),
        whole_nanoseconds(static_cast<double>(time.count()) * kind.factor, "clock: compute time"));
  }

  bool alike_ = false;  // all of one kind, never slow, never down
  prepared_times compute_;
  next_times<prepared_times> next_;
  link network_;
  machine_speeds speeds_;
  up_times up_;
  virtual_time patience_;
  std::vector<std::uint32_t> kind_of_;  // (nodes), from 1 on in kinds_, or empty
  std::vector<prepared_kind> kinds_;
};

}  // namespace gossip
