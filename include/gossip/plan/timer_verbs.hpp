// The verbs of a plan for timers.
#pragma once

#include <cstdint>

#include <gossip/clock/message_network.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/event_queue.hpp>

namespace gossip {

/// A part of plan_verbs.
template <class Verbs>
class timer_verbs {
 public:
  /// on_timer(plan, i, tag) comes after so much virtual time; a late timer after all other events
  /// of its time.
  void set_timer(node i, virtual_time delay, std::uint32_t tag = 0, bool late = false) {
    static_assert(!Verbs::in_rounds,
                  "gossip::plan: timers belong to event exchanges. See "
                  "docs/policies/exchange.md");
    static_assert(Verbs::with_timers,
                  "gossip::plan: set_timer needs an exchange with on_timer(auto &plan, node i, "
                  "std::uint32_t tag) const. See docs/policies/exchange.md");
    self().require_owner("set_timer", i);
    if (delay.count() < 0) self().refuse(i, "sets a timer in the past");
    self().push(time_after(self().now_, delay), late ? event_kind::late_timer : event_kind::timer,
                i, tag);
  }

  /// The virtual time of the event at hand.
  virtual_time now() const {
    static_assert(!Verbs::in_rounds,
                  "gossip::plan: now belongs to event exchanges; in rounds each node has a time of "
                  "its own. See docs/policies/exchange.md");
    return self().now_;
  }

 private:
  Verbs &self() { return static_cast<Verbs &>(*this); }
  Verbs const &self() const { return static_cast<Verbs const &>(*this); }
};

}  // namespace gossip
