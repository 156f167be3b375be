// A clock whose nodes have activities ahead of them: computations, messages, waits. Activities
// begin when those that they wait for have ended; when a message ends depends on the others that
// are on their way then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <gossip/clock/activity_graph.hpp>
#include <gossip/clock/message_loss.hpp>
#include <gossip/clock/message_network.hpp>
#include <gossip/clock/owner_ends.hpp>
#include <gossip/clock/timeline.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// Activities of owners, nodes and then servers. An owner's own follow each other; messages that
/// nobody waits for run beside them. Machines: compute_time(node, step, begin),
/// the time that computation `step` of an owner takes if it begins then, and both_up(node, node,
/// t), the first time from t on at which a message between two owners can begin.
template <class Machines>
class activity_clock {
 public:
  static constexpr virtual_time never = virtual_time::max();
  static constexpr std::uint32_t untold = activity_graph::nothing;
  using ends = owner_ends::place;

  /// told: of all trainings and messages, or null.
  activity_clock(network_outline const &network, std::size_t nodes, std::size_t owners,
                 Machines machines, timeline *told = nullptr)
      : nodes_(nodes),
        ends_(graph_, nodes, owners),
        told_(told),
        network_(network, nodes, owners),
        machines_(std::move(machines)) {}
  activity_clock(activity_clock const &) = delete;
  activity_clock &operator=(activity_clock const &) = delete;

  /// Owner i computes; its end is told.
  void compute(node i, std::uint64_t step) {
    std::uint32_t const a = graph_.make(kind::computation);
    graph_[a].from = i;
    graph_[a].bytes = step;
    follow(i, a);
  }

  /// Owner i waits for so many bytes of j, which waits for nothing, and sends as many if both.
  void exchange(node i, node j, transmission const &sent, bool both) {
    follow(i, graph_.make(both ? kind::exchange : kind::message, j, i, sent));
  }

  /// The same both ways after another activity, while owner i goes on.
  activity exchange_after(activity first, node i, node j, transmission const &sent) {
    return begun_after(first, graph_.make(kind::exchange, j, i, sent));
  }

  /// Bytes from one owner to another: when `from` has done what it has to do, or now. Its end is
  /// told, if it has a number.
  activity send(node from, node to, transmission const &sent, bool now,
                std::uint32_t number = untold) {
    return sent_after(now ? activity{} : ends_.last(from), from, to, sent, number);
  }

  /// Owner i goes on when an activity, or a time, is over.
  void await(node i, activity what) {
    if (graph_.over(what)) return;
    activity const both[] = {ends_.last(i), what};
    ends_.set_last(i, graph_.joined(both));
  }
  void wait_until(node i, virtual_time t) {
    if (t <= now_) return;
    std::uint32_t const a = graph_.make(kind::wait);
    graph_[a].until = t;
    follow(i, a);
  }

  /// Owner i has written its model at the end of what it has to do.
  void write(node i) { ends_.write(i); }

  /// Nothing is left that owner i has to do.
  void resume(node i) { ends_.set_last(i, {}); }

  /// The end of what all owners have to do is told by this number.
  void mark(std::uint32_t number) {
    std::vector<activity> open = ends_.take_changed();
    open.push_back(mark_);
    mark_ = graph_.joined(open, number);
    if (graph_.over(mark_)) ended_.push_back({ended_activity::kind::mark, number});
  }

  ends const &at_ends() const { return ends_.here(); }
  /// Owners go on as if nothing had been added since; what was added goes on beside them.
  void restore(ends const &before) { ends_.restore(before); }
  activity last(node i) const { return ends_.last(i); }

  /// Messages that are sent from now on take no time, or their own; returns what it was before.
  bool suspend(bool free) { return std::exchange(free_, free); }

  /// True where owner i has nothing to do; true where what a completion stands for is over.
  bool is_idle(node i) const { return graph_.over(ends_.last(i)); }
  bool over(auto const &end) const { return graph_.over(end.what) && end.at <= now_; }

  /// Nodes that have nothing to do.
  std::size_t idle() const { return ends_.idle(); }
  /// Activities that have not ended.
  std::size_t size() const { return graph_.size(); }
  virtual_time now() const { return now_; }
  /// It is t now, before which no activity ends.
  void go_to(virtual_time t) { now_ = t; }

  /// The time at which the next activity ends, or never.
  virtual_time next() {
    virtual_time const messages = network_.next();
    return std::min({messages, timed_.next(), held_.next()});
  }

  /// Ends all activities of next(), and those after them that take no time.
  void advance() {
    now_ = next();
    while (network_.ends_by(now_)) arrive(network_.take_ended(), now_);
    while (!joined_.empty() || timed_.next() <= now_ || held_.next() <= now_) {
      if (!joined_.empty()) {
        end(joined_.front());
        joined_.pop_front();
        continue;
      }
      if (held_.next() <= now_) {
        transmit_all(held_.pop());
        continue;
      }
      std::uint32_t const a = timed_.pop();
      if (--graph_[a].parts == 0) end(a);
    }
  }

  /// Ends that have come since the last call, in their order.
  std::vector<ended_activity> take_ended() { return std::exchange(ended_, {}); }

 protected:
  using kind = activity_graph::kind;

  activity sent_after(activity first, node from, node to, transmission const &sent,
                      std::uint32_t number) {
    std::uint32_t const a = graph_.make(kind::message, from, to, sent);
    graph_[a].told = number;
    return begun_after(first, a);
  }

  std::size_t nodes_;
  activity_graph graph_;
  owner_ends ends_;

 private:
  /// The activity comes after all that owner i has to do.
  void follow(node i, std::uint32_t a) {
    graph_.await(a, ends_.last(i));
    ends_.set_last(i, graph_.handle(a));
    begin_if_ready(a);
  }

  activity begun_after(activity first, std::uint32_t a) {
    graph_.await(a, first);
    activity const end = graph_.handle(a);
    begin_if_ready(a);
    return end;
  }

  void begin_if_ready(std::uint32_t a) {
    graph_[a].free = free_;
    if (told_ && !free_) tell(graph_[a]);
    if (graph_[a].open == 0) begin(a);
  }

  /// Its messages, planned.
  void tell(activity_graph::record const &one) {
    if (one.what == kind::message || one.what == kind::exchange)
      told_->will_send(one.from, one.to, one.bytes);
    if (one.what == kind::exchange) told_->will_send(one.to, one.from, one.bytes);
  }

  void begin(std::uint32_t a) {
    auto &one = graph_[a];
    switch (one.what) {
      case kind::join:
        return joined_.push_back(a);
      case kind::wait:
        return end_at(a, std::max(now_, one.until));
      case kind::computation:
        one.until = machines_.compute_time(one.from, one.bytes, now_);
        if (one.until == never) return ended_.push_back({ended_activity::kind::lost, one.from});
        one.until = time_after(now_, one.until);
        if (told_) told_->trains(one.from, now_, one.until);
        return end_at(a, one.until);
      case kind::message:
      case kind::exchange:
        if (one.what == kind::exchange) one.parts = 2;
        virtual_time const up = one.free ? now_ : machines_.both_up(one.from, one.to, now_);
        if (up == never) return hold_for_good(one);
        if (up > now_) return held_.push(a, up);
        return transmit_all(a);
    }
  }

  /// A message that never begins, with an owner that is down for good. Throws error where another
  /// goes on after it.
  void hold_for_good(activity_graph::record const &one) const {
    if (one.lasts == 0 && one.waiting == activity_graph::nothing) return;
    throw error("clock: outages: node " + std::to_string(one.to) + " waits for node " +
                std::to_string(one.from) + ", and one of the two is down for good");
  }

  void transmit_all(std::uint32_t a) {
    bool const back = graph_[a].what == kind::exchange;
    transmit(2 * a);
    if (back) transmit(2 * a + 1);
  }

  /// One way of an activity: twice its number, and one more for the way back.
  void transmit(std::uint32_t way) {
    auto &one = graph_[way / 2];
    if (one.free) return end_at(way / 2, now_);
    one.until = now_;
    auto const [from, to] = ends_of(way);
    if (auto const left = network_.begin(now_, from, to, one.bytes, way)) arrive(way, *left);
  }

  /// Sender and receiver.
  std::pair<node, node> ends_of(std::uint32_t way) {
    auto const &one = graph_[way / 2];
    return way % 2 == 0 ? std::pair(one.from, one.to) : std::pair(one.to, one.from);
  }

  /// The last byte of a message leaves at t.
  void arrive(std::uint32_t way, virtual_time t) {
    auto const [from, to] = ends_of(way);
    auto const &one = graph_[way / 2];
    virtual_time const later =
        time_after(one.waits, repeated(one.tries, network_.latency(from, to)));
    virtual_time const end = time_after(t, later);
    if (told_) told_->has_sent(from, to, one.bytes, one.until, end);
    end_at(way / 2, end);
  }

  void end_at(std::uint32_t a, virtual_time t) { timed_.push(a, t); }

  void end(std::uint32_t a) {
    auto &one = graph_[a];
    if (one.what == kind::computation)
      ended_.push_back({ended_activity::kind::computation, one.from});
    else if (one.told != untold)
      ended_.push_back(
          {one.what == kind::join ? ended_activity::kind::mark : ended_activity::kind::message,
           one.told});
    ends_.end(one);
    graph_.end(a, [&](std::uint32_t b) { begin(b); });
  }

  timeline *told_;
  message_network network_;
  Machines machines_;
  bool free_ = false;
  activity mark_;  // the last
  timed_ends timed_;
  timed_ends held_;                   // messages that begin when both ends are up
  std::deque<std::uint32_t> joined_;  // that end now
  std::vector<ended_activity> ended_;
  virtual_time now_{0};
};

}  // namespace gossip
