// Virtual time of owners whose messages share links: found by activities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/message_loss.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/owner_times.hpp>

namespace gossip {

/// Trainings and messages of owners become activities, whose ends depend on what others send
/// meanwhile; the planner ends activities one by one, and is told.
class activity_times : public owner_times {
 public:
  using owner_times::wait_until;

  activity_times(timed_run const &of, node_clock clock)
      : owner_times(of, std::move(clock)),
        activities_(of.clock.outline(), of.nodes, of.nodes + of.servers, {&clock_, of.seed},
                    of.told) {}

  activities_type *activities() override { return &activities_; }

  void wait_until(node i, completion const &end) override {
    activities_.await(i, end.what);
    wait_until(i, end.at);
  }
  bool never_trains(node, std::uint64_t) const override { return false; }

  std::uint64_t mix(std::span<sent_mixture const> mixtures, bool global_barrier) override {
    std::uint64_t all = 0;
    activities_.mix(global_barrier, [&](auto send) {
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

  virtual_time end_of_nodes() override { return activities_.finish(); }
  virtual_time hold(std::vector<node> const &absent, std::vector<node> const &present,
                    virtual_time now) override {
    activity const done = activities_.end_of(present);
    for (node const i : absent) activities_.await(i, done);
    for (node const i : absent) activities_.write(i);
    return now;
  }
  virtual_time end_of_round(virtual_time now) const override { return now; }

 protected:
  virtual_time train_disturbed(node i, std::uint64_t step) override {
    activities_.compute(i, step);
    return never;
  }
  void resume_disturbed(node i, virtual_time) override { activities_.resume(i); }
  void wait_until_disturbed(node i, virtual_time t) override { activities_.wait_until(i, t); }
  void write_disturbed(node i) override { activities_.write(i); }
  void transfer_disturbed(node i, node j, transmission const &sent, bool both) override {
    activities_.exchange(i, j, sent, both);
  }
  completion exchange_beside(node i, node j, transmission const &sent, virtual_time,
                             completion const &after) override {
    return {.what = activities_.exchange_after(after.what, i, j, sent)};
  }
  completion sent(node i, node j, transmission const &sent, virtual_time, bool at_once,
                  std::uint32_t number) override {
    return {.what = activities_.send(i, j, sent, at_once, number)};
  }

  std::optional<virtual_time> unsent(node i, node j, virtual_time t, bool at_once) override {
    return unsent_at(i, j, t, at_once || activities_.is_idle(i));
  }
  std::optional<virtual_time> unsent_to(node i, node j, virtual_time t,
                                        completion const *beside) override {
    return unsent_at(i, j, t, beside ? activities_.over(*beside) : activities_.is_idle(i));
  }

  void ring(on_link const &one) override { activities_.ring(one); }
  void chain(on_part const &one) override { activities_.chain(parts_, one); }
  void hop(node i, node j, transmission const &there, transmission const *back) override {
    activities_.hop(i, j, there, back);
  }
  void write_all() override { activities_.write_all(); }

  void remember() override { places_.push_back(activities_.at_ends()); }
  void go_back() override {
    activities_.restore(places_.back());
    places_.pop_back();
  }
  bool suspend(bool free) override { return activities_.suspend(free); }
  completion end_of(node i) const override { return {.what = activities_.last(i)}; }

 private:
  /// begins: whether the message could begin now; otherwise it begins after others, whose ends are
  /// not known.
  std::optional<virtual_time> unsent_at(node i, node j, virtual_time t, bool begins) const {
    if (begins) return unsent_from(i, j, t, t);
    if (!excludes()) return std::nullopt;  // it waits, whatever comes
    throw input_error("clock: outages: then",
                      "wait, where the next message of node " + std::to_string(i) +
                          " begins after a message whose end depends on other messages",
                      "a reaction that goes on without the message");
  }

  activities_type activities_;
  std::vector<typename activities_type::ends> places_;
};

}  // namespace gossip
