// Definitions of plan/planner.hpp.
#pragma once

#include <gossip/plan/planner.hpp>

#include <algorithm>
#include <string>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE window_planner::window_planner(plan &of, graph const &g, prepared_clock const &time,
                                             plan_settings const &settings)
    : window_planner(unchecked{}, of, g, settings) {
  exchange_properties const &says = plan_.facts_.properties;
  detail::require_tolerance(time.loss, says);
  detail::require_tolerance(time.participation, says, plan_.in_rounds_, plan_.data_shares());
  if (!plan_.times_->always_up())
    detail::require_tolerance(time.outages, says, plan_.in_rounds_, !plan_.times_->activities());
  if (plan_.in_rounds_ && plan_.times_->activities()) ends_ = ends_of_rounds(g, time, settings);
}

GOSSIP_INLINE bool window_planner::next(plan_window &window, std::uint64_t limit) {
  std::uint64_t const trainings = trainings_of_window(plan_.nodes());
  window.expect(2 * trainings);
  if (finished_) return false;
  plan_.writer_.begin(window);
  if (!std::exchange(looked_, true)) observe(cadences_.due(0, true));
  std::uint64_t const enough = plan_.started_ + trainings;
  if (plan_.asks()) plan_.calls_.on_answer(plan_.calls_.exchange, plan_, plan_.take_answer());
  if (plan_.calls_.on_answer && plan_.stopped_) finish();
  if (plan_.in_rounds_)
    plan_rounds(enough, limit);
  else
    plan_events(enough, limit);
  window.end = mark();
  if (!finished_) window.asks = plan_.open();
  window.answers = &plan_.log_;
  window.stopped = plan_.stopped_;
  window.servers = plan_.servers();
  window.sort_levels();
  return true;
}

GOSSIP_INLINE std::shared_ptr<round_ends const> window_planner::ends_of_rounds(
    graph const &g, prepared_clock const &time, plan_settings const &settings) {
  auto const known = settings.ends ? settings.ends : std::make_shared<round_ends>();
  plan_.times_ = times_of({time, g.nodes(), plan_.servers(), settings.seed, nullptr}, true, true);
  if (known->known) return known;
  if (plan_.calls_.on_answer)
    throw input_error("clock: contention and links that differ",
                      "neither, for an exchange in rounds that asks for values of the run",
                      "at least one of the two");
  auto const again =
      plan_.calls_.plan_again(plan_.calls_.exchange, g, time, settings, plan_.weights_);
  window_planner timed(unchecked{}, *again, g, settings);
  for (plan_window window; timed.next(window);) {
  }
  known->ends = std::move(timed.told_);
  known->known = true;
  return known;
}

GOSSIP_INLINE void window_planner::time_round() {
  if (ends_) {
    now_ = ends_->ends.at(round_ - 1);
  } else if (auto *const clock = plan_.times_->activities()) {
    clock->mark(checked_index(round_ - 1, "plan: rounds with contention"));
    for (;;) {
      for (ended_activity const &e : clock->take_ended())
        if (e.what == ended_activity::kind::mark) told_.push_back(clock->now());
      bool const ahead = clock->idle() > 0 && clock->size() <= most_ahead;
      if (told_.size() == round_ || (ahead && !finished())) break;
      if (clock->next() == clock->never)
        throw error("clock: round " + std::to_string(round_ - 1) +
                    " never ends: nodes wait for a node that is down for good");
      clock->advance();
    }
  } else {
    now_ = plan_.times_->end_of_round(now_);
  }
}

GOSSIP_INLINE void window_planner::hold_absent() {
  std::vector<node> absent, present;
  for (node i = 0; i < plan_.nodes(); ++i)
    (plan_.participants_.present(i) ? present : absent).push_back(i);
  now_ = plan_.times_->hold(absent, present, now_);
}

GOSSIP_INLINE void window_planner::plan_rounds(std::uint64_t enough, std::uint64_t limit) {
  while (plan_.started_ < enough && !finished_ && !plan_.asks()) {
    std::uint64_t const before = plan_.started_;
    plan_.begin_round(round_);
    begin_round();
    plan_.calls_.on_round(plan_.calls_.exchange, plan_, round_++);
    bool const misses_nodes = plan_.times_->rounds_miss_nodes();
    if (!plan_.participants_.are_all() || misses_nodes) hold_absent();
    idle_ = plan_.started_ == before ? idle_ + 1 : 0;
    if (idle_ > 0) plan_.times_->await_nodes();
    bool const may_idle =
        plan_.times_->losses().gone() || !plan_.participants_.are_all() || misses_nodes;
    if (idle_ > (may_idle ? detail::most_idle_rounds : 0))
      detail::refuse_idle_round(round_ - 1, may_idle);
    time_round();
    finished_ = finished();
    observe_if_due();
    if (plan_.steps_ >= limit) return;
  }
}

GOSSIP_INLINE void window_planner::plan_events(std::uint64_t enough, std::uint64_t limit) {
  auto &queue = plan_.queue_;
  if (!begun_) {
    begun_ = true;
    if (plan_.calls_.on_start)
      plan_.calls_.on_start(plan_.calls_.exchange, plan_);
    else
      plan_.train_all();
    require_trainings();
  }
  if (plan_.calls_.on_answer && !finished_)
    require_trainings();  // an answer may have let none train
  while (plan_.started_ < enough && !finished_ && !plan_.asks()) {
    if (plan_.times_->activities()) advance_to_events();
    if (queue.empty()) {  // nodes that are down for good have left the rest
      if (plan_.started_ < plan_.settings_.node_iterations) refuse_dry();
      return finish();
    }
    auto const e = queue.first();
    queue.pop();
    plan_.now_ = now_ = e.time;
    if (plan_.times_->activities()) plan_.times_->activities()->go_to(now_);
    if (plan_.has_items_) {
      if (e.kind() == event_kind::trained)
        trained(e.who());
      else
        happened(e.kind(), e.who(), e.number);
      finished_ = all_done();
    } else {
      trained(e.who());
      finished_ = queue.empty() && plan_.training_ == 0;
    }
    finished_ |= plan_.stopped_;
    require_trainings();
    if (finished_ && !plan_.stopped_) now_ = std::max(now_, plan_.times_->end_of_nodes());
    observe_if_due();
    if (plan_.steps_ >= limit) return;
  }
}

GOSSIP_INLINE void window_planner::advance_to_events() {
  auto &clock = *plan_.times_->activities();
  for (;;) {
    virtual_time const next = clock.next();
    if (next == clock.never) return;
    if (!plan_.queue_.empty() && plan_.queue_.first().time < next) return;
    clock.advance();
    for (ended_activity const &e : clock.take_ended())
      if (e.what == ended_activity::kind::lost)
        --plan_.training_;
      else if (e.what == ended_activity::kind::computation)
        plan_.push(clock.now(), event_kind::trained, e.number);
      else if (plan_.calls_.on_message)
        plan_.push(clock.now(), event_kind::message, plan_.in_flight_[e.number].what.to, e.number);
  }
}

GOSSIP_INLINE void window_planner::trained(node i) {
  --plan_.training_;
  idle_ = 0;
  if (plan_.times_->gone(i, now_)) return plan_.lose(i);
  plan_.times_->resume(i, now_);
  plan_.calls_.on_trained(plan_.calls_.exchange, plan_, i);
}

GOSSIP_INLINE void window_planner::happened(event_kind kind, node i, std::uint32_t number) {
  detail::require_training(++idle_, plan_.nodes(), i, now_, plan_.times_->losses().so_far());
  plan_.times_->wait_until(i, now_);
  plan_.between_trainings_ = true;
  if (kind == event_kind::message)
    plan_.arrive(number);
  else
    plan_.calls_.on_timer(plan_.calls_.exchange, plan_, i, number);
  plan_.between_trainings_ = false;
}

GOSSIP_INLINE progress_mark window_planner::mark() const {
  std::uint64_t const steps = plan_.steps_;
  return {plan_.in_rounds_ ? round_ : steps / plan_.nodes(), steps,
          plan_.settings_.epoch.after(steps), now_,
          plan_.bytes_ + plan_.times_->losses().bytes_sent_again()};
}

}  // namespace gossip
