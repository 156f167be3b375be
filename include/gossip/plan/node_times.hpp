// Virtual time of a network: verbs for all of its nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/collective_times.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/due_times.hpp>

namespace gossip {

/// A mixture of all nodes' rows: its weights, and the bytes of a message, of which there are as
/// many as entries off the diagonal.
struct sent_mixture {
  mixing_matrix const *weights;
  std::size_t message_bytes;
};

/// The times of all owners, and verbs of many nodes.
template <class Clock>
class node_times : public collective_times<Clock> {
  using owners = collective_times<Clock>;
  using owners::activities_, owners::clock_, owners::free_at_, owners::losses_, owners::nodes_,
      owners::told_, owners::written_at_, owners::waits, owners::duration, owners::due_,
      owners::up_together;

 public:
  using owners::wait_until;
  using typename owners::activities_type;

  /// told: of all trainings and messages, or null.
  node_times(prepared_clock const &clock, std::size_t nodes, std::uint64_t seed,
             std::size_t servers = 0, timeline *told = nullptr)
      : owners(clock, nodes, seed, servers, told), arrived_at_(nodes) {}

  /// Rounds, of which owners that an outage makes late miss some, if others go on without them.
  void begin_rounds() {
    if (!activities_ && this->excludes()) due_ = {free_at_.size(), clock_.patience()};
  }

  /// Nodes that are too late for the round that begins then, (n), and the time at which it begins,
  /// later where all are. Throws error where all are down for good.
  std::vector<std::uint8_t> late_at(virtual_time &begin) {
    auto const first = *std::min_element(free_at_.begin(), free_at_.begin() + nodes());
    if (first == owners::never) throw error("clock: outages: all nodes are down for good");
    if (!due_.in_time(begin, first)) begin = first;
    std::vector<std::uint8_t> late(nodes_);
    for (node i = 0; i < free_at_.size(); ++i) {
      bool const is_late = !due_.in_time(begin, free_at_[i]);
      if (i < nodes_) late[i] = is_late;
      if (!is_late) due_.accept(i, free_at_[i], written_at_[i]);
    }
    return late;
  }

  /// The time at which the last of those is free who are not too late, and servers; or the first
  /// node where all are.
  virtual_time end_of_round(std::vector<node> const &present) const {
    virtual_time end{0}, first = owners::never;
    auto const count = [&](node i) {
      first = std::min(first, free_at_[i]);
      if (due_.in_time(due_.free(i), free_at_[i])) end = std::max(end, free_at_[i]);
    };
    for (node const i : present) count(i);
    for (auto i = static_cast<node>(nodes_); i < free_at_.size(); ++i) count(i);
    return end > virtual_time(0) || first == owners::never ? end : first;
  }

  /// Servers wait until they reach a node that is free, if there is none. Throws error where all
  /// are down for good.
  void await_nodes() {
    for (auto s = static_cast<node>(nodes_); s < free_at_.size(); ++s) {
      virtual_time first = owners::never;
      for (node i = 0; i < nodes_; ++i)
        first = std::min(first, clock_.both_up(i, s, std::max(free_at_[i], free_at_[s])));
      if (first == owners::never) throw error("clock: outages: all nodes are down for good");
      wait_until(s, first);
    }
  }

  /// Nodes that take no part in a round begin nothing before it is over.
  void hold_until(std::vector<node> const &absent, virtual_time end) {
    for (node const i : absent) {
      wait_until(i, end);
      written_at_[i] = free_at_[i];
      due_.write(i);
    }
  }

  /// These nodes begin nothing, and send nothing, before the others have done what they have to do.
  void hold(std::vector<node> const &absent, std::vector<node> const &present) {
    if (activities_) {
      activity const done = activities_->end_of(present);
      for (node const i : absent) activities_->await(i, done);
      for (node const i : absent) activities_->write(i);
      return;
    }
    virtual_time done{0};
    for (node const i : present) done = std::max(done, free_at_[i]);
    for (node const i : absent) wait_until(i, done);
    for (node const i : absent) written_at_[i] = free_at_[i];
  }

  /// f(), which takes no time.
  template <class F>
  void at_no_cost(F f) {
    place const before = here();
    bool const free = losses_.suspend(true);
    if (activities_) activities_->suspend(true);
    timeline *const told = std::exchange(told_, nullptr);
    f();
    told_ = told;
    losses_.suspend(free);
    if (activities_) activities_->suspend(free);
    go_back(before);
  }

  /// f(), for which nobody waits; when each node would have been done, (n).
  template <class F>
  std::vector<completion> in_background(F f) {
    place const before = here();
    f();
    std::vector<completion> done(nodes_);
    for (node i = 0; i < nodes_; ++i)
      activities_ ? void(done[i].what = activities_->last(i)) : void(done[i].at = free_at_[i]);
    go_back(before);
    return done;
  }

  /// Every node waits until the models of those it listens to, in any of them, have been
  /// written and sent: one latency and its own messages after the last of them, or after the last
  /// of all. Returns the bytes of all messages.
  std::uint64_t mix(std::span<sent_mixture const> mixtures, bool global_barrier) {
    if (activities_) return mix_activities(mixtures, global_barrier);
    if (due_.kept()) return mix_in_time(mixtures, global_barrier);
    auto const nodes = static_cast<std::ptrdiff_t>(nodes_);
    auto const last = *std::max_element(written_at_.begin(), written_at_.begin() + nodes);
    // Messages come at their first try, nobody is down, and no timeline is told of them.
    bool const undisturbed = clock_.always_up() && !losses_.again() && !told_;
    std::uint64_t all = 0;
    for (node i = 0; i < nodes_; ++i) {
      virtual_time sent{0};
      std::size_t messages = 0, bytes = 0;
      for (auto const &[w, message_bytes] : mixtures) {
        auto const columns = w->row(i).columns;
        if (undisturbed)
          sent = std::max(sent, global_barrier ? last : last_written(columns));
        else
          for (node const j : columns)
            bytes += send_mixed(i, j, message_bytes, global_barrier ? last : written_at_[j], sent);
        messages += columns.size() - 1;
        bytes += (columns.size() - 1) * message_bytes;
        all += (columns.size() - 1) * message_bytes;
      }
      if (messages > 0) sent = time_after(sent, clock_.transfer_time(bytes));
      for (auto const &[j, message_bytes, begin] : arriving_)
        told_->sends(j, i, message_bytes, begin, sent);
      arriving_.clear();
      arrived_at_[i] = std::max(free_at_[i], sent);
    }
    std::copy(arrived_at_.begin(), arrived_at_.end(), free_at_.begin());
    std::copy(arrived_at_.begin(), arrived_at_.end(), written_at_.begin());
    if (global_barrier) wait_for_all();
    return all;
  }

  /// The time at which the last node is free.
  virtual_time latest() const { return *std::max_element(free_at_.begin(), free_at_.end()); }

 private:
  struct mixed_message {
    node from;
    std::size_t bytes;
    virtual_time begin;
  };
  struct place {
    std::vector<virtual_time> free_at, written_at;
    due_times due;
    typename activities_type::ends ends;
  };
  place here() const {
    if (activities_) return {{}, {}, {}, activities_->at_ends()};
    return {free_at_, written_at_, due_, {}};
  }
  void go_back(place const &before) {
    if (activities_) return activities_->restore(before.ends);
    free_at_ = before.free_at;
    written_at_ = before.written_at;
    due_ = before.due;
  }

  virtual_time last_written(std::span<node const> columns) const {
    virtual_time last{0};
    virtual_time const *const at = written_at_.data();
    for (node const j : columns) last = std::max(last, at[j]);
    return last;
  }

  /// Node i's model of node j, which had it then, arrives; sent: when the last that it waits for
  /// begins. Returns the bytes of all tries but the last.
  std::size_t send_mixed(node i, node j, std::size_t message_bytes, virtual_time written,
                         virtual_time &sent) {
    if (j == i) return sent = std::max(sent, written), 0;
    virtual_time const begin = up_together(i, j, written);
    transmission const one = losses_.message(j, i, message_bytes);
    if (told_) arriving_.push_back({j, one.bytes, begin});
    sent = std::max(sent, time_after(begin, waits(one)));
    return one.bytes - message_bytes;
  }

  std::uint64_t mix_activities(std::span<sent_mixture const> mixtures, bool global_barrier) {
    std::uint64_t all = 0;
    activities_->mix(global_barrier, [&](auto send) {
      for (node i = 0; i < nodes_; ++i)
        for (auto const &[w, message_bytes] : mixtures)
          for (node j : w->row(i).columns)
            if (j != i) {
              send(j, i, losses_.message(j, i, message_bytes));
              all += message_bytes;
            }
    });
    return all;
  }

  /// The same where a message that is held up too long is not sent: due().misses(sender, receiver).
  std::uint64_t mix_in_time(std::span<sent_mixture const> mixtures, bool global_barrier) {
    due_.forget_missed();
    virtual_time last{0};
    for (node j = 0; global_barrier && j < nodes_; ++j)
      if (due_.in_time(due_.written(j), written_at_[j])) last = std::max(last, written_at_[j]);
    std::uint64_t all = 0;
    for (node i = 0; i < nodes_; ++i) {
      if (free_at_[i] == owners::never) continue;
      virtual_time sent = last, in_vain{0};
      std::size_t bytes = 0;
      bool any = false;
      for (auto const &[w, message_bytes] : mixtures)
        for (node const j : w->row(i).columns) {
          if (j == i) continue;
          virtual_time const due = std::max(last, due_.written(j));
          virtual_time const written = std::max(last, written_at_[j]);
          virtual_time const begin =
              written == owners::never ? written : clock_.both_up(i, j, written);
          if (!due_.in_time(due, begin)) {
            due_.miss(j, i);
            in_vain = std::max(in_vain, due_.given_up(due));
            continue;
          }
          transmission const one = losses_.message(j, i, message_bytes);
          if (told_) arriving_.push_back({j, one.bytes, begin});
          sent = std::max(sent, time_after(begin, waits(one)));
          bytes += one.bytes;
          all += message_bytes;
          any = true;
        }
      virtual_time const flight = any ? clock_.transfer_time(bytes) : virtual_time(0);
      virtual_time const arrived = time_after(std::max(sent, written_at_[i]), flight);
      for (auto const &[j, message_bytes, begin] : arriving_)
        told_->sends(j, i, message_bytes, begin, arrived);
      arriving_.clear();
      free_at_[i] = std::max({free_at_[i], arrived, in_vain});
      due_.wait_until(i, std::max(time_after(std::max(sent, due_.written(i)), flight), in_vain));
    }
    if (global_barrier) wait_for_all_in_time();
    for (node i = 0; i < nodes_; ++i) this->write(i);
    return all;
  }

  void wait_for_all_in_time() {
    virtual_time end{0};
    for (node i = 0; i < nodes_; ++i)
      if (due_.in_time(due_.free(i), free_at_[i])) end = std::max(end, free_at_[i]);
    for (node i = 0; i < nodes_; ++i) wait_until(i, end);
  }

  std::ptrdiff_t nodes() const { return static_cast<std::ptrdiff_t>(nodes_); }
  void wait_for_all() { std::fill(free_at_.begin(), free_at_.end(), latest()); }

  std::vector<virtual_time> arrived_at_;  // (n)
  std::vector<mixed_message> arriving_;   // of a node's mixture, where it is told
};

}  // namespace gossip
