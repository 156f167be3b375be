// Virtual time of owners, nodes and servers: what every way to know it has in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/collective.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/network_activities.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/completion.hpp>

namespace gossip {

/// A mixture of all nodes' rows: its weights, and the bytes of a message, of which there are as
/// many as entries off the diagonal.
struct sent_mixture {
  mixing_matrix const *weights;
  std::size_t message_bytes;
};

/// A node, or all, wait for another that never comes.
[[noreturn]] inline void refuse_wait(std::string const &who, node other) {
  throw error("clock: outages: " + who + " for node " + std::to_string(other) +
              ", which is down for good; expected then as time_out or go_on, where the exchange "
              "tolerates it");
}

/// The clock of the machines, as activities ask for it.
struct machine_times {
  node_clock const *clock;
  std::uint64_t seed;

  virtual_time compute_time(node i, std::uint64_t step, virtual_time begin) const {
    return clock->compute_time(seed, i, step, begin);
  }
  virtual_time both_up(node i, node j, virtual_time t) const { return clock->both_up(i, j, t); }
};

/// A run whose owners, nodes and then servers, have times. told: of all trainings and messages, or
/// null.
struct timed_run {
  prepared_clock const &clock;
  std::size_t nodes, servers;
  std::uint64_t seed;
  timeline *told;
};

/// The time from which each owner can begin something, and the time of its model's last change, in
/// one of three ways, which is chosen once (plan/node_times.hpp): known at once, known beside the
/// time at which they are due, or found by activities, where the end of a message depends on what
/// others send meanwhile. Where others go on without nodes that are down, a message that is held up
/// too long is not sent (clock/outages.hpp).
class owner_times {
 public:
  using activities_type = network_activities<machine_times>;
  static constexpr virtual_time never = virtual_time::max();

  virtual ~owner_times() = default;
  owner_times(owner_times const &) = delete;
  owner_times &operator=(owner_times const &) = delete;

  /// True where no node is ever down or cut off; true where two reach each other at t.
  bool always_up() const { return clock_.always_up(); }
  bool reach(node i, node j, virtual_time t) const { return clock_.both_up(i, j, t) == t; }
  /// True where others go on without nodes that are down.
  bool excludes() const { return clock_.excludes(); }
  /// True where node i is down for good from t on.
  bool gone(node i, virtual_time t) const {
    return !always_up() && clock_.both_up(i, i, t) == never;
  }
  /// The losses of the messages.
  link_losses &losses() { return losses_; }
  link_losses const &losses() const { return losses_; }
  /// The clock with contention, or null.
  virtual activities_type *activities() { return nullptr; }
  activities_type const *activities() const {
    return const_cast<owner_times &>(*this).activities();
  }

  // One owner ----------------------------------------------------------------------------------

  /// Node i computes; returns when it will have finished, or never where that is not known.
  virtual_time train(node i, std::uint64_t step) {
    if (!undisturbed_) return train_disturbed(i, step);
    return free_at_[i] = time_after(free_at_[i], clock_.next_time(seed_, i, step, free_at_[i]));
  }
  /// Node i has written its model now.
  void write(node i) {
    if (!undisturbed_) return write_disturbed(i);
    written_at_[i] = free_at_[i];
  }
  /// Node i takes up its work again at t.
  void resume(node i, virtual_time t) {
    if (!undisturbed_) return resume_disturbed(i, t);
    free_at_[i] = t;
  }
  /// Node i cannot begin anything before t, or before an end.
  void wait_until(node i, virtual_time t) {
    if (!undisturbed_) return wait_until_disturbed(i, t);
    free_at_[i] = std::max(free_at_[i], t);
  }
  virtual void wait_until(node i, completion const &end) = 0;

  /// True where node i would never finish a computation that it begins when it is free, which is
  /// known without contention.
  virtual bool never_trains(node i, std::uint64_t step) const = 0;
  /// It does nothing from now on; an owner that waits for it does so as if it had begun that
  /// computation. What it would write now never comes.
  virtual void give_up(node, std::uint64_t /*step*/) {}
  virtual void give_up_writing(node) {}

  // Messages -----------------------------------------------------------------------------------

  /// Node i waits for a message of this size from node j, and sends one if both do; where one of
  /// the two is lost, both are sent again.
  void transfer(node i, node j, std::size_t bytes, bool both);
  /// The same both ways from t on, or from when another is over, while node i goes on.
  completion transfer_beside(node i, node j, std::size_t bytes, virtual_time t,
                             completion const &after) {
    return exchange_beside(i, j, losses_.exchange(i, j, bytes), t, after);
  }
  /// The end of a message of this size that leaves when node i is free, or, if at_once, at t. Its
  /// number is told by activities(), if there are any.
  completion send(node i, node j, std::size_t bytes, virtual_time t, bool at_once,
                  std::uint32_t number = activities_type::untold) {
    return sent(i, j, losses_.message(i, j, bytes), t, at_once, number);
  }

  /// True where a message that leaves as `send` says is not sent, for it could not begin in time;
  /// its receiver, if it waits, will do so in vain.
  bool leaves_out(node i, node j, virtual_time t, bool at_once, bool waits);
  /// Receivers wait for the messages that leaves_out() has recorded, in their order.
  void wait_for_owed() {
    for (auto const &[i, until] : std::exchange(owed_, {})) wait_until(i, until);
  }
  /// The same of a message that `transfer` or, after another, `transfer_beside` would send; node i
  /// has waited for it, or gets its end.
  [[gnu::always_inline]] bool untransferred(node i, node j, virtual_time t, completion *beside) {
    return !always_up() && waits_in_vain(i, j, t, beside);
  }

  // All nodes ----------------------------------------------------------------------------------

  /// Every node waits until the models of the nodes it listens to, in any of the mixtures, have
  /// been written and sent: one latency and its own messages after the last of these models, or
  /// with a global barrier after the last of all. Returns the bytes of all messages.
  virtual std::uint64_t mix(std::span<sent_mixture const> mixtures, bool global_barrier) = 0;
  /// A message of the last mixture that was not sent.
  virtual bool misses_any() const { return false; }
  virtual bool misses(node /*from*/, node /*to*/) const { return false; }

  /// A sum over all nodes of rows of row_bytes each, by the clock's collective. Returns the bytes
  /// of all messages. On a ring everybody waits for the last, then 2 (n - 1) latencies and the time
  /// that the most bytes of a node take, 2 (n - 1) / n of a row and at most two more. Messages that
  /// are lost are sent again, whatever others do.
  std::uint64_t reduce(std::size_t row_bytes);
  /// A ring of `turns` turns, in which node i sends sent_bytes(i) in all.
  void ring(std::size_t turns, std::function<std::size_t(node)> const &sent_bytes) {
    ring([&](node i, node next) { return losses_.in_turns(i, next, sent_bytes(i), turns); });
  }

  /// f(), which takes no time.
  template <class F>
  void at_no_cost(F f) {
    remember();
    bool const free = losses_.suspend(true), free_activities = suspend(true);
    timeline *const told = std::exchange(told_, nullptr);
    f();
    told_ = told;
    losses_.suspend(free);
    suspend(free_activities);
    go_back();
  }
  /// f(), for which nobody waits; when each node would have been done, (n).
  template <class F>
  std::vector<completion> in_background(F f) {
    remember();
    f();
    std::vector<completion> done(nodes_);
    for (node i = 0; i < nodes_; ++i) done[i] = end_of(i);
    go_back();
    return done;
  }

  /// The time at which the last of the nodes that are not down for good has done what it has to do,
  /// after which nothing is planned.
  virtual virtual_time end_of_nodes() = 0;

  // Rounds -------------------------------------------------------------------------------------

  /// True where rounds go on without nodes that an outage makes late.
  virtual bool rounds_miss_nodes() const { return false; }
  /// Nodes that are too late for the round that begins then, (n), and the time at which it begins,
  /// later where all are; empty where none ever is. Throws error where all are down for good.
  virtual std::vector<std::uint8_t> late_at(virtual_time & /*begin*/) { return {}; }
  /// Nodes that take no part in a round begin nothing, and send nothing, before the others have
  /// done what they have to do. Returns the end of the round, as far as it is known; it was `now`.
  virtual virtual_time hold(std::vector<node> const &absent, std::vector<node> const &present,
                            virtual_time now) = 0;
  /// Servers of rounds that miss nodes wait until they reach a node that is free, if there is none.
  virtual void await_nodes() {}
  /// The end of a round; it was `now` as far as it was known.
  virtual virtual_time end_of_round(virtual_time now) const = 0;

 protected:
  /// clock: of the nodes of that run.
  owner_times(timed_run const &of, node_clock clock)
      : clock_(std::move(clock)),
        seed_(of.seed),
        nodes_(of.nodes),
        told_(of.told),
        losses_(of.clock.loss, of.seed),
        collective_(of.clock.collective),
        parts_(of.clock.collective_parts) {
    if (parts_ == 0) throw input_error("clock: collective_parts", "at least 1", "0");
  }

  using on_link = std::function<transmission(node, node)>;
  using on_part = std::function<transmission(node, node, std::size_t)>;

  virtual virtual_time train_disturbed(node i, std::uint64_t step) = 0;
  virtual void write_disturbed(node i) = 0;
  virtual void resume_disturbed(node i, virtual_time t) = 0;
  virtual void wait_until_disturbed(node i, virtual_time t) = 0;
  virtual void transfer_disturbed(node i, node j, transmission const &sent, bool both) = 0;
  virtual completion exchange_beside(node i, node j, transmission const &sent, virtual_time t,
                                     completion const &after) = 0;
  virtual completion sent(node i, node j, transmission const &sent, virtual_time t, bool at_once,
                          std::uint32_t number) = 0;
  /// The time until which the receiver waits in vain for a message that is not sent; nothing where
  /// it is sent.
  virtual std::optional<virtual_time> unsent(node i, node j, virtual_time t, bool at_once) = 0;
  /// The same for a message that node i waits for, from when it is free or *beside is over.
  virtual std::optional<virtual_time> unsent_to(node i, node j, virtual_time t,
                                                completion const *beside) = 0;
  /// A ring of all nodes, once all are free; a chain of them, see each_link_of_chain; a message of
  /// a collective and maybe one back, which both ends wait for; behind a collective all have
  /// written.
  virtual void ring(on_link const &one) = 0;
  virtual void chain(on_part const &one) = 0;
  virtual void hop(node i, node j, transmission const &there, transmission const *back) = 0;
  virtual void write_all() = 0;
  /// The place of all owners, to which they go back; the last one that is remembered comes first.
  virtual void remember() = 0;
  virtual void go_back() = 0;
  /// Activities take no time, or their own; returns what it was before.
  virtual bool suspend(bool free) { return free; }
  virtual completion end_of(node i) const = 0;

  /// The first time from t on at which both are up, for which node i waits.
  virtual_time up_together(node i, node j, virtual_time t) const {
    if (always_up()) return t;
    virtual_time const up = clock_.both_up(i, j, t);
    if (up == never) refuse(i, j);
    return up;
  }
  /// Node i waits for another, and one of them is down for good.
  [[noreturn, gnu::noinline]] void refuse(node i, node other) const {
    if (clock_.crashes(i)) refuse_wait("all wait", i);
    refuse_wait("node " + std::to_string(i) + " waits", other);
  }

  /// ready: when a message could begin; due: when it could, had nobody been down.
  std::optional<virtual_time> unsent_from(node i, node j, virtual_time ready,
                                          virtual_time due) const;

  /// The time without the bytes of all tries but the last, and with them.
  virtual_time waits(transmission const &sent) const {
    return time_after(sent.waits, repeated(sent.tries - 1, clock_.transfer_time(0)));
  }
  [[gnu::always_inline]] virtual_time duration(transmission const &sent) const {
    virtual_time const bytes = clock_.transfer_time(sent.bytes);
    return sent.tries == 1 ? bytes : time_after(bytes, waits(sent));
  }

  bool undisturbed_ = false;  ///< no contention, losses, outages or timeline: times are sums
  node_clock clock_;
  std::uint64_t seed_;
  std::size_t nodes_;
  timeline *told_;
  link_losses losses_;
  collective collective_;
  std::size_t parts_;                                ///< of a row on a chain
  std::vector<virtual_time> free_at_, written_at_;   ///< (n + servers); none with activities
  std::vector<std::pair<node, virtual_time>> owed_;  ///< waits, in the order of their messages

 private:
  bool waits_in_vain(node i, node j, virtual_time t, completion *beside);

  /// The messages of a tree, or of halving and doubling.
  std::uint64_t hops(std::size_t row_bytes);
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/owner_times.ipp>
#endif
