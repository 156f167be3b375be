// Virtual time of owners that is known at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/clock/collective.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/owner_times.hpp>

namespace gossip {

/// Times where messages do not share links, so that their ends follow from the time at which their
/// sender is free.
class known_times : public owner_times {
 public:
  using owner_times::wait_until;

  known_times(timed_run const &of, node_clock clock)
      : owner_times(of, std::move(clock)), arrived_at_(of.nodes) {
    free_at_.assign(of.nodes + of.servers, virtual_time{0});
    written_at_ = free_at_;
    undisturbed_ = !told_ && always_up() && !losses_.gone() && !losses_.again();
  }

  void wait_until(node i, completion const &end) override { wait_until(i, end.at); }

  [[gnu::noinline]] bool never_trains(node i, std::uint64_t step) const override {
    return free_at_[i] == never || clock_.compute_time(seed_, i, step, free_at_[i]) == never;
  }

  std::uint64_t mix(std::span<sent_mixture const> mixtures, bool global_barrier) override {
    auto const last = *std::max_element(written_at_.begin(), end_of_nodes_in(written_at_));
    // Messages come at their first try, nobody is down, and no timeline is told of them.
    bool const undisturbed = always_up() && !losses_.again() && !told_;
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
      tell_arrivals(i, sent);
      arrived_at_[i] = std::max(free_at_[i], sent);
    }
    std::copy(arrived_at_.begin(), arrived_at_.end(), free_at_.begin());
    std::copy(arrived_at_.begin(), arrived_at_.end(), written_at_.begin());
    if (global_barrier) std::fill(free_at_.begin(), free_at_.end(), latest());
    return all;
  }

  [[gnu::noinline]] virtual_time end_of_nodes() override {
    virtual_time end{0};
    for (std::size_t i = 0; i < nodes_; ++i)
      if (free_at_[i] != never) end = std::max(end, free_at_[i]);
    return end;
  }

  virtual_time hold(std::vector<node> const &absent, std::vector<node> const &present,
                    virtual_time now) override {
    virtual_time done{0};
    for (node const i : present) done = std::max(done, free_at_[i]);
    for (node const i : absent) wait_until(i, done);
    for (node const i : absent) written_at_[i] = free_at_[i];
    return now;
  }
  virtual_time end_of_round(virtual_time) const override { return latest(); }

 protected:
  /// The time at which owner i would be free, had nobody been down.
  virtual virtual_time due(node i) const { return free_at_[i]; }

  virtual_time train_disturbed(node i, std::uint64_t step) override {
    virtual_time const begin = free_at_[i];
    free_at_[i] = time_after(begin, clock_.compute_time(seed_, i, step, begin));
    if (told_) told_->trains(i, begin, free_at_[i]);
    return free_at_[i];
  }
  void resume_disturbed(node i, virtual_time t) override { free_at_[i] = t; }
  void wait_until_disturbed(node i, virtual_time t) override {
    free_at_[i] = std::max(free_at_[i], t);
  }
  void write_disturbed(node i) override { written_at_[i] = free_at_[i]; }

  void transfer_disturbed(node i, node j, transmission const &sent, bool both) override {
    virtual_time const begin = up_together(i, j, free_at_[i]);
    free_at_[i] = time_after(begin, duration(sent));
    if (!told_) return;
    told_->sends(j, i, sent.bytes, begin, free_at_[i]);
    if (both) told_->sends(i, j, sent.bytes, begin, free_at_[i]);
  }
  completion exchange_beside(node i, node j, transmission const &sent, virtual_time t,
                             completion const &after) override {
    virtual_time const begin = up_together(i, j, std::max(t, after.at));
    virtual_time const end = time_after(begin, duration(sent));
    if (told_) told_->sends(j, i, sent.bytes, begin, end);
    if (told_) told_->sends(i, j, sent.bytes, begin, end);
    return {end};
  }
  completion sent(node i, node j, transmission const &sent, virtual_time t, bool at_once,
                  std::uint32_t /*number*/) override {
    virtual_time const begin = up_together(j, i, at_once ? t : std::max(t, free_at_[i]));
    virtual_time const end = time_after(begin, duration(sent));
    if (told_) told_->sends(i, j, sent.bytes, begin, end);
    return {end};
  }

  std::optional<virtual_time> unsent(node i, node j, virtual_time t, bool at_once) override {
    if (at_once) return unsent_from(i, j, t, t);
    return unsent_from(i, j, std::max(t, free_at_[i]), std::max(t, due(i)));
  }
  std::optional<virtual_time> unsent_to(node i, node j, virtual_time t,
                                        completion const *beside) override {
    if (!beside) return unsent_from(i, j, free_at_[i], due(i));
    virtual_time const ready = std::max(t, beside->at);
    return unsent_from(i, j, ready, ready);
  }

  void ring(on_link const &one) override {
    virtual_time const begin = *std::max_element(free_at_.begin(), end_of_nodes_in(free_at_));
    virtual_time done = begin;
    for (node i = 0; nodes_ > 1 && i < nodes_; ++i) {
      node const next = static_cast<node>((i + 1) % nodes_);
      transmission const sent = one(i, next);
      virtual_time const starts = up_together(i, next, begin);
      virtual_time const arrived = time_after(starts, duration(sent));
      if (told_) told_->sends(i, next, sent.bytes, starts, arrived);
      done = std::max(done, arrived);
    }
    std::fill(free_at_.begin(), end_of_nodes_in(free_at_), done);
    write_all();
  }
  void chain(on_part const &part) override {
    std::vector<virtual_time> there(parts_, virtual_time{0});
    std::vector<virtual_time> done(free_at_.begin(), end_of_nodes_in(free_at_));
    each_link_of_chain(nodes_, [&](node i, node j) {
      virtual_time before = std::max(free_at_[i], free_at_[j]);
      for (std::size_t k = 0; k < parts_; ++k) {
        transmission const one = part(i, j, k);
        virtual_time const begin = up_together(i, j, std::max(before, there[k]));
        before = there[k] = time_after(begin, duration(one));
        if (told_) told_->sends(i, j, one.bytes, begin, before);
      }
      done[i] = std::max(done[i], before);
      done[j] = std::max(done[j], before);
    });
    std::copy(done.begin(), done.end(), free_at_.begin());
    write_all();
  }
  void hop(node i, node j, transmission const &there, transmission const *back) override {
    virtual_time const begin = up_together(i, j, std::max(free_at_[i], free_at_[j]));
    virtual_time end = time_after(begin, duration(there));
    if (back) end = std::max(end, time_after(begin, duration(*back)));
    if (told_) told_->sends(i, j, there.bytes, begin, end);
    if (told_ && back) told_->sends(j, i, back->bytes, begin, end);
    free_at_[i] = free_at_[j] = end;
  }
  void write_all() override {
    std::copy(free_at_.begin(), end_of_nodes_in(free_at_), written_at_.begin());
  }

  void remember() override { places_.push_back({free_at_, written_at_, owed_}); }
  void go_back() override {
    std::tie(free_at_, written_at_, owed_) = std::move(places_.back());
    places_.pop_back();
  }
  completion end_of(node i) const override { return {free_at_[i]}; }

  /// A message of a mixture that has left at a time arrives at node i; then tell_arrivals().
  void add_arrival(node from, std::size_t bytes, virtual_time begin) {
    if (told_) arriving_.push_back({from, bytes, begin});
  }
  void tell_arrivals(node i, virtual_time t) {
    for (auto const &[j, bytes, begin] : arriving_) told_->sends(j, i, bytes, begin, t);
    arriving_.clear();
  }

 private:
  struct mixed_message {
    node from;
    std::size_t bytes;
    virtual_time begin;
  };

  std::vector<virtual_time>::iterator end_of_nodes_in(std::vector<virtual_time> &of) const {
    return of.begin() + static_cast<std::ptrdiff_t>(nodes_);
  }
  virtual_time latest() const { return *std::max_element(free_at_.begin(), free_at_.end()); }

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
    add_arrival(j, one.bytes, begin);
    sent = std::max(sent, time_after(begin, waits(one)));
    return one.bytes - message_bytes;
  }

  std::vector<virtual_time> arrived_at_;  // (n)
  std::vector<mixed_message> arriving_;   // of a node's mixture, where it is told
  std::vector<std::tuple<std::vector<virtual_time>, std::vector<virtual_time>,
                         std::vector<std::pair<node, virtual_time>>>>
      places_;
};

}  // namespace gossip
