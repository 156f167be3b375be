// Virtual time of owners in rounds that go on without nodes that an outage makes late.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/known_times.hpp>

namespace gossip {

/// Known times beside due times, at which owners would do what they do, had no outage held them up,
/// as far as that depends on no node that is late. Nobody waits for what comes later than it is due
/// by more than the patience of the clock.
class due_times : public known_times {
 public:
  using known_times::wait_until;

  due_times(timed_run const &of, node_clock clock)
      : known_times(of, std::move(clock)),
        due_free_(free_at_),
        due_written_(free_at_),
        patience_(clock_.patience()) {}

  void give_up(node i, std::uint64_t step) override {
    work_as_due(i, step);
    free_at_[i] = never;
  }
  void give_up_writing(node i) override {
    due_written_[i] = due_free_[i];
    written_at_[i] = never;
  }

  bool misses_any() const override { return !missed_.empty(); }
  bool misses(node from, node to) const override { return missed_.contains(key(from, to)); }

  std::uint64_t mix(std::span<sent_mixture const> mixtures, bool global_barrier) override {
    missed_.clear();
    virtual_time last{0};
    for (node j = 0; global_barrier && j < nodes_; ++j)
      if (in_time(due_written_[j], written_at_[j])) last = std::max(last, written_at_[j]);
    std::uint64_t all = 0;
    for (node i = 0; i < nodes_; ++i) {
      if (free_at_[i] == never) continue;
      virtual_time sent = last, in_vain{0};
      std::size_t bytes = 0;
      bool any = false;
      for (auto const &[w, message_bytes] : mixtures)
        for (node const j : w->row(i).columns) {
          if (j == i) continue;
          virtual_time const due = std::max(last, due_written_[j]);
          virtual_time const written = std::max(last, written_at_[j]);
          virtual_time const begin = written == never ? written : clock_.both_up(i, j, written);
          if (!in_time(due, begin)) {
            missed_.insert(key(j, i));
            in_vain = std::max(in_vain, given_up(due));
            continue;
          }
          transmission const one = losses_.message(j, i, message_bytes);
          add_arrival(j, one.bytes, begin);
          sent = std::max(sent, time_after(begin, waits(one)));
          bytes += one.bytes;
          all += message_bytes;
          any = true;
        }
      virtual_time const flight = any ? clock_.transfer_time(bytes) : virtual_time(0);
      virtual_time const arrived = time_after(std::max(sent, written_at_[i]), flight);
      tell_arrivals(i, arrived);
      free_at_[i] = std::max({free_at_[i], arrived, in_vain});
      due_until(i, std::max(time_after(std::max(sent, due_written_[i]), flight), in_vain));
    }
    if (global_barrier) wait_for_all();
    for (node i = 0; i < nodes_; ++i) write(i);
    return all;
  }

  bool rounds_miss_nodes() const override { return true; }

  /// Owners that are not too late are as late as they are: that is the schedule from now on.
  std::vector<std::uint8_t> late_at(virtual_time &begin) override {
    auto const first =
        *std::min_element(free_at_.begin(), free_at_.begin() + static_cast<std::ptrdiff_t>(nodes_));
    if (first == never) throw error("clock: outages: all nodes are down for good");
    if (!in_time(begin, first)) begin = first;
    std::vector<std::uint8_t> late(nodes_);
    for (node i = 0; i < free_at_.size(); ++i) {
      bool const is_late = !in_time(begin, free_at_[i]);
      if (i < nodes_) late[i] = is_late;
      if (is_late) continue;
      due_free_[i] = free_at_[i];
      due_written_[i] = written_at_[i];
    }
    return late;
  }

  /// A round ends when the last owner that is not too late is free, and servers; or with the first
  /// node where all are.
  virtual_time hold(std::vector<node> const &absent, std::vector<node> const &present,
                    virtual_time now) override {
    virtual_time end{0}, first = never;
    auto const count = [&](node i) {
      first = std::min(first, free_at_[i]);
      if (in_time(due_free_[i], free_at_[i])) end = std::max(end, free_at_[i]);
    };
    for (node const i : present) count(i);
    for (auto i = static_cast<node>(nodes_); i < free_at_.size(); ++i) count(i);
    now = std::max(now, end > virtual_time(0) || first == never ? end : first);
    for (node const i : absent) {
      wait_until(i, now);
      write_disturbed(i);
    }
    return now;
  }
  virtual_time end_of_round(virtual_time now) const override { return now; }

  /// Throws error where all are down for good.
  void await_nodes() override {
    for (auto s = static_cast<node>(nodes_); s < free_at_.size(); ++s) {
      virtual_time first = never;
      for (node i = 0; i < nodes_; ++i)
        first = std::min(first, clock_.both_up(i, s, std::max(free_at_[i], free_at_[s])));
      if (first == never) throw error("clock: outages: all nodes are down for good");
      wait_until(s, first);
    }
  }

 protected:
  virtual_time due(node i) const override { return due_free_[i]; }

  virtual_time train_disturbed(node i, std::uint64_t step) override {
    work_as_due(i, step);
    return known_times::train_disturbed(i, step);
  }
  void wait_until_disturbed(node i, virtual_time t) override {
    known_times::wait_until_disturbed(i, t);
    due_until(i, t);
  }
  void write_disturbed(node i) override {
    known_times::write_disturbed(i);
    due_written_[i] = due_free_[i];
  }
  void transfer_disturbed(node i, node j, transmission const &sent, bool both) override {
    virtual_time const begin = up_together(i, j, free_at_[i]);
    known_times::transfer_disturbed(i, j, sent, both);
    due_free_[i] = time_after(due_free_[i], free_at_[i] - begin);
  }

  void remember() override {
    known_times::remember();
    places_.push_back({due_free_, due_written_, missed_});
  }
  void go_back() override {
    known_times::go_back();
    std::tie(due_free_, due_written_, missed_) = std::move(places_.back());
    places_.pop_back();
  }

 private:
  static std::uint64_t key(node from, node to) { return std::uint64_t{from} << 32 | to; }

  /// True where what was due then and is there at t is not too late.
  bool in_time(virtual_time due, virtual_time t) const { return t - due <= patience_; }
  /// The time until which it is waited for in vain; go_on: not at all.
  virtual_time given_up(virtual_time due) const {
    return patience_ > virtual_time(0) ? time_after(due, patience_) : virtual_time(0);
  }
  void due_until(node i, virtual_time t) { due_free_[i] = std::max(due_free_[i], t); }
  /// The computation as it would be, had no node been down.
  void work_as_due(node i, std::uint64_t step) {
    due_free_[i] = time_after(due_free_[i], clock_.time_at_work(seed_, i, step, due_free_[i]));
  }

  void wait_for_all() {
    virtual_time end{0};
    for (node i = 0; i < nodes_; ++i)
      if (in_time(due_free_[i], free_at_[i])) end = std::max(end, free_at_[i]);
    for (node i = 0; i < nodes_; ++i) wait_until(i, end);
  }

  std::vector<virtual_time> due_free_, due_written_;  // (n + servers)
  virtual_time patience_;
  std::unordered_set<std::uint64_t> missed_;  // by sender and receiver, of the last mixture
  std::vector<std::tuple<std::vector<virtual_time>, std::vector<virtual_time>,
                         std::unordered_set<std::uint64_t>>>
      places_;
};

}  // namespace gossip
