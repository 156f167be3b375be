// Virtual time of owners, nodes and servers, one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/network_activities.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/due_times.hpp>

namespace gossip {

/// The time from which each node can begin something, and the time of its model's last change.
/// Without contention they are known at once. With contention the end of a message depends on what
/// others send meanwhile: then an activity_clock has them. Where others go on without nodes that
/// are down, a message that is held up too long is not sent (clock/outages.hpp). Clock: node_clock;
/// a template, for a file that plans nothing is not to wait for it.
template <class Clock>
class owner_times {
  /// The clock of the machines, as activities ask for it.
  struct machines {
    owner_times const *of;
    virtual_time compute_time(node i, std::uint64_t step, virtual_time begin) const {
      return of->clock_.compute_time(of->seed_, i, step, begin);
    }
    virtual_time both_up(node i, node j, virtual_time t) const {
      return of->clock_.both_up(i, j, t);
    }
  };

 public:
  using activities_type = network_activities<machines>;

  static constexpr virtual_time never = virtual_time::max();

  /// told: of all trainings and messages, or null.
  owner_times(prepared_clock const &clock, std::size_t nodes, std::uint64_t seed,
              std::size_t servers = 0, timeline *told = nullptr)
      : clock_(clock, nodes, seed),
        seed_(seed),
        nodes_(nodes),
        told_(told),
        losses_(clock.loss, seed),
        collective_(clock.collective),
        parts_(clock.collective_parts),
        free_at_(nodes + servers, virtual_time{0}),
        written_at_(nodes + servers, virtual_time{0}) {
    if (parts_ == 0) throw input_error("clock: collective_parts", "at least 1", "0");
    if (!clock.outline().is_plain())
      activities_ = std::make_unique<activities_type>(clock.outline(), nodes, nodes + servers,
                                                      machines{this}, told);
    plain_ = !activities_ && !told_ && always_up() && !losses_.gone() && !losses_.again();
  }
  owner_times(owner_times const &) = delete;
  owner_times &operator=(owner_times const &) = delete;

  /// True where no node is ever down or cut off; true where two reach each other at t.
  bool always_up() const { return clock_.always_up(); }
  bool reach(node i, node j, virtual_time t) const { return clock_.both_up(i, j, t) == t; }
  /// True where others go on without nodes that are down.
  bool excludes() const { return clock_.excludes(); }

  /// The losses of the messages.
  link_losses &losses() { return losses_; }
  link_losses const &losses() const { return losses_; }

  /// The clock with contention, or null.
  activities_type *activities() const { return activities_.get(); }
  /// The clock is not needed, since all ends are known.
  void forget_activities() {
    activities_ = nullptr;
    told_ = nullptr;
  }

  /// True where node i would never finish a computation that it begins when it is free, which is
  /// known without contention.
  [[gnu::noinline]] bool never_trains(node i, std::uint64_t step) const {
    if (activities_) return false;
    return free_at_[i] == never || clock_.compute_time(seed_, i, step, free_at_[i]) == never;
  }
  /// It does nothing from now on; who waits for it does so as if it had begun that computation.
  void give_up(node i, std::uint64_t step) {
    if (!due_.kept()) return;
    work_as_due(i, step);
    free_at_[i] = never;
  }
  /// What it would write now never comes.
  void give_up_writing(node i) {
    if (!due_.kept()) return;
    due_.write(i);
    written_at_[i] = never;
  }
  /// True where node i is down for good from t on.
  bool gone(node i, virtual_time t) const {
    return !always_up() && clock_.both_up(i, i, t) == never;
  }

  /// Node i computes; returns when it will have finished, where that is known.
  virtual_time train(node i, std::uint64_t step) {
    if (!plain_) return train_not_plain(i, step);
    return free_at_[i] = time_after(free_at_[i], clock_.next_time(seed_, i, step, free_at_[i]));
  }

  /// Node i takes up its work again at t.
  void resume(node i, virtual_time t) {
    if (activities_) return activities_->resume(i);
    free_at_[i] = t;
  }

  /// Node i cannot begin anything before t.
  void wait_until(node i, virtual_time t) {
    if (activities_) return activities_->wait_until(i, t);
    free_at_[i] = std::max(free_at_[i], t);
    due_.wait_until(i, t);
  }
  void wait_until(node i, completion const &end) {
    if (activities_) activities_->await(i, end.what);
    wait_until(i, end.at);
  }

  /// The time until which who waits for it waits in vain for a message that is not sent, for it
  /// could not begin in time; nothing where it begins. Of one that leaves as `send` says.
  std::optional<virtual_time> unsent(node i, node j, virtual_time t, bool at_once) {
    if (always_up()) return std::nullopt;
    if (activities_) return unsent_from(i, j, activities_->is_idle(i) || at_once, t, t);
    if (at_once) return unsent_from(i, j, true, t, t);
    virtual_time const due = due_.kept() ? due_.free(i) : free_at_[i];
    return unsent_from(i, j, true, std::max(t, free_at_[i]), std::max(t, due));
  }
  /// True where that message is not sent; its receiver, if it waits, will do so in vain.
  bool leaves_out(node i, node j, virtual_time t, bool at_once, bool waits) {
    if (always_up()) return false;
    auto const until = unsent(i, j, t, at_once);
    if (until && waits && *until == never) refuse(j, i);
    if (until && waits) due_.owe(j, *until);
    return until.has_value();
  }
  /// They do.
  void wait_for_owed() {
    for (auto const &[i, until] : due_.take_owed()) wait_until(i, until);
  }
  /// The same of a message that `transfer` or, after another, `transfer_beside` would send; node i
  /// has waited for it, or gets its end.
  [[gnu::always_inline]] bool untransferred(node i, node j, virtual_time t, completion *beside) {
    return !always_up() && waits_in_vain(i, j, t, beside);
  }
  due_times const &due() const { return due_; }

  /// The end of a message of this size that leaves when node i is free, or, if at_once, at t. Its
  /// number is told by activities(), if there are any.
  completion send(node i, node j, std::size_t bytes, virtual_time t, bool at_once,
                  std::uint32_t number = activities_type::untold) {
    transmission const sent = losses_.message(i, j, bytes);
    if (activities_) return {{}, activities_->send(i, j, sent, at_once, number)};
    virtual_time const begin = up_together(j, i, at_once ? t : std::max(t, free_at_[i]));
    virtual_time const end = time_after(begin, duration(sent));
    if (told_) told_->sends(i, j, sent.bytes, begin, end);
    return {end};
  }

  /// Node i has written its model now.
  void write(node i) {
    if (!plain_ && activities_) return activities_->write(i);
    written_at_[i] = free_at_[i];
    if (!plain_) due_.write(i);
  }

  /// Node i waits for a message of this size from node j, and sends one if both do; where one of
  /// the two is lost, both are sent again.
  void transfer(node i, node j, std::size_t bytes, bool both) {
    if (!plain_) return transfer_not_plain(i, j, bytes, both);
    free_at_[i] = time_after(free_at_[i], clock_.transfer_time(bytes));
  }

  /// The same both ways from t on, or from when another is over, while node i goes on.
  completion transfer_beside(node i, node j, std::size_t bytes, virtual_time t,
                             completion const &after) {
    transmission const sent = losses_.exchange(i, j, bytes);
    if (activities_) return {{}, activities_->exchange_after(after.what, i, j, sent)};
    virtual_time const begin = up_together(i, j, std::max(t, after.at));
    virtual_time const end = time_after(begin, duration(sent));
    if (told_) told_->sends(j, i, sent.bytes, begin, end);
    if (told_) told_->sends(i, j, sent.bytes, begin, end);
    return {end};
  }

 protected:
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

  /// train() and transfer() where plain_ is false.
  [[gnu::noinline]] virtual_time train_not_plain(node i, std::uint64_t step) {
    if (activities_) {
      activities_->compute(i, step);
      return activities_type::never;
    }
    virtual_time const begin = free_at_[i];
    if (due_.kept()) work_as_due(i, step);
    free_at_[i] = time_after(begin, clock_.compute_time(seed_, i, step, begin));
    if (told_) told_->trains(i, begin, free_at_[i]);
    return free_at_[i];
  }
  [[gnu::noinline]] void transfer_not_plain(node i, node j, std::size_t bytes, bool both) {
    transmission const sent = both ? losses_.exchange(i, j, bytes) : losses_.message(j, i, bytes);
    if (activities_) return activities_->exchange(i, j, sent, both);
    virtual_time const begin = up_together(i, j, free_at_[i]);
    free_at_[i] = time_after(begin, duration(sent));
    due_.work(i, free_at_[i] - begin);
    if (!told_) return;
    told_->sends(j, i, sent.bytes, begin, free_at_[i]);
    if (both) told_->sends(i, j, sent.bytes, begin, free_at_[i]);
  }

  /// The computation as it would be, had nobody been down.
  [[gnu::noinline]] void work_as_due(node i, std::uint64_t step) {
    due_.work(i, clock_.time_at_work(seed_, i, step, due_.free(i)));
  }

  /// The same where some are down.
  [[gnu::noinline]] bool waits_in_vain(node i, node j, virtual_time t, completion *beside) {
    std::optional<virtual_time> until;
    if (activities_)
      until =
          unsent_from(i, j, beside ? activities_->over(*beside) : activities_->is_idle(i), t, t);
    else if (beside)
      until = unsent_from(i, j, true, std::max(t, beside->at), std::max(t, beside->at));
    else
      until = unsent_from(i, j, true, free_at_[i], due_.kept() ? due_.free(i) : free_at_[i]);
    if (!until) return false;
    if (*until == never) refuse(i, j);
    if (beside)
      *beside = {*until, {}};
    else
      wait_until(i, *until);
    return true;
  }

  /// ready: when a message could begin, if that is known; due: when it could, had nobody been down.
  std::optional<virtual_time> unsent_from(node i, node j, bool known, virtual_time ready,
                                          virtual_time due) const {
    if (!known && !excludes()) return std::nullopt;  // it waits, whatever comes
    if (!known)
      throw input_error("clock: outages: then",
                        "wait, where the next message of node " + std::to_string(i) +
                            " begins after a message whose end depends on other messages",
                        "a reaction that goes on without the message");
    virtual_time const up = clock_.both_up(i, j, ready);
    if (!excludes()) return up == never ? std::optional(never) : std::nullopt;
    if (up - due <= clock_.patience()) return std::nullopt;
    return clock_.patience() > virtual_time(0) ? time_after(due, clock_.patience())
                                               : virtual_time(0);
  }

  /// The time without the bytes of all tries but the last, and with them.
  virtual_time waits(transmission const &sent) const {
    return time_after(sent.waits, repeated(sent.tries - 1, clock_.transfer_time(0)));
  }
  [[gnu::always_inline]] virtual_time duration(transmission const &sent) const {
    virtual_time const bytes = clock_.transfer_time(sent.bytes);
    return sent.tries == 1 ? bytes : time_after(bytes, waits(sent));
  }

  /// No contention, losses, outages or timeline: times are sums.
  bool plain_ = false;
  Clock clock_;
  std::uint64_t seed_;
  std::size_t nodes_;
  timeline *told_;
  link_losses losses_;
  collective collective_;
  std::size_t parts_;                            // of a row on a chain
  std::vector<virtual_time> free_at_;            // (n + servers)
  std::vector<virtual_time> written_at_;         // (n + servers)
  due_times due_;                                // in rounds that go on without nodes
  std::unique_ptr<activities_type> activities_;  // with contention
};

}  // namespace gossip
