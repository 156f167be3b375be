// Turns topology, clock and exchange into operations. It knows no weights, no data and no device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/node.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/plan/event_queue.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/observation_cadences.hpp>
#include <gossip/plan/of_exchange.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The windows of a plan, one after another: calls the exchange's handlers, round by round or event
/// by event, and says where observers look.
class window_planner {
 public:
  /// The plan, the graph and the exchange outlive it.
  window_planner(plan &of, graph const &g, prepared_clock const &time,
                 plan_settings const &settings)
      : window_planner(unchecked{}, of, g, settings) {
    exchange_properties const &says = plan_.facts_.properties;
    detail::require_tolerance(time.loss, says);
    detail::require_tolerance(time.participation, says, plan_.in_rounds_, plan_.data_shares());
    if (!plan_.times_->always_up())
      detail::require_tolerance(time.outages, says, plan_.in_rounds_, !plan_.times_->activities());
    if (plan_.in_rounds_ && plan_.times_->activities()) ends_ = ends_of_rounds(g, time, settings);
  }
  window_planner(window_planner const &) = delete;
  window_planner &operator=(window_planner const &) = delete;

  /// Fills the next window (trainings_of_window, or what is left); false where the run is over. It
  /// ends as well after the round or event by which `limit` node-iterations of the run have ended;
  /// a call plans at least one round or event, whatever the limit. Limits cut the stream of
  /// operations and change none of them.
  bool next(plan_window &window, std::uint64_t limit = plan_window::no_limit) {
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

  /// The most payloads that each sender has had so far, (n + servers).
  std::vector<std::uint32_t> most_payloads() const { return plan_.boxes_.most(); }

 private:
  struct unchecked {};  // a plan that finds the ends of rounds, for one that was checked
  window_planner(unchecked, plan &of, graph const &g, plan_settings const &settings)
      : plan_(of), cadences_(settings.cadences, settings.node_iterations, g.nodes()) {}

  /// The ends of all rounds, which a plan of the whole run beforehand finds, once for all plans
  /// that share their settings' ends.
  std::shared_ptr<round_ends const> ends_of_rounds(graph const &g, prepared_clock const &time,
                                                   plan_settings const &settings) {
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

  /// The end of a round: known, or found by going on until a node has nothing left to do, so that
  /// messages of the rounds that it is ahead meet those of others.
  void time_round() {
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

  bool finished() const {
    return plan_.started_ >= plan_.settings_.node_iterations || plan_.stopped_;
  }

  /// A round begins, without nodes that are too late for it.
  void begin_round() { plan_.participants_.begin(round_, plan_.times_->late_at(now_)); }

  /// Nodes that take no part in a round wait for its end.
  void hold_absent() {
    std::vector<node> absent, present;
    for (node i = 0; i < plan_.nodes(); ++i)
      (plan_.participants_.present(i) ? present : absent).push_back(i);
    now_ = plan_.times_->hold(absent, present, now_);
  }

  /// enough: trainings that have begun; limit: node-iterations that have ended.
  void plan_rounds(std::uint64_t enough, std::uint64_t limit) {
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

  void plan_events(std::uint64_t enough, std::uint64_t limit) {
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

  /// Ends activities up to the time of the next event; ends that are told become events.
  void advance_to_events() {
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
          plan_.push(clock.now(), event_kind::message, plan_.in_flight_[e.number].what.to,
                     e.number);
    }
  }

  /// Whether nothing that is still to happen belongs to the run: all have trained, and what they
  /// have learnt is with those who step by it.
  bool all_done() const {
    std::uint64_t const wanted = plan_.settings_.node_iterations;
    return plan_.training_ == 0 && plan_.started_ >= wanted &&
           (plan_.steps_ >= wanted || plan_.on_their_way() == 0);
  }

  void finish() {
    finished_ = true;
    observe_if_due();
  }

  void trained(node i) {
    --plan_.training_;
    idle_ = 0;
    if (plan_.times_->gone(i, now_)) return plan_.lose(i);
    plan_.times_->resume(i, now_);
    plan_.calls_.on_trained(plan_.calls_.exchange, plan_, i);
  }

  /// A message or a timer.
  void happened(event_kind kind, node i, std::uint32_t number) {
    detail::require_training(++idle_, plan_.nodes(), i, now_, plan_.times_->losses().so_far());
    plan_.times_->wait_until(i, now_);
    plan_.between_trainings_ = true;
    if (kind == event_kind::message)
      plan_.arrive(number);
    else
      plan_.calls_.on_timer(plan_.calls_.exchange, plan_, i, number);
    plan_.between_trainings_ = false;
  }

  void require_trainings() const {
    if (plan_.queue_.empty() && plan_.training_ == 0 && plan_.on_their_way() == 0 &&
        !plan_.trains_no_more() && !plan_.stopped_ && !plan_.asks())
      refuse_dry();
  }
  [[noreturn]] void refuse_dry() const {
    detail::refuse_dry_events(plan_.started_, plan_.settings_.node_iterations,
                              !plan_.times_->always_up(), plan_.times_->losses().so_far());
  }

  progress_mark mark() const {
    std::uint64_t const steps = plan_.steps_;
    return {plan_.in_rounds_ ? round_ : steps / plan_.nodes(), steps,
            plan_.settings_.epoch.after(steps), now_,
            plan_.bytes_ + plan_.times_->losses().bytes_sent_again()};
  }

  void observe_if_due() { observe(cadences_.due(plan_.steps_, finished_)); }

  /// due: cadences, as bits.
  void observe(std::uint64_t due) {
    if (due == 0 && !finished_) return;
    plan_.writer_.observe({mark(), due, finished_});
  }

  plan &plan_;
  observation_cadences cadences_;
  round_number round_ = 0;
  virtual_time now_{0};
  bool looked_ = false, begun_ = false, finished_ = false;
  std::uint64_t idle_ = 0;                  // events, or rounds, since a training
  std::shared_ptr<round_ends const> ends_;  // of rounds with contention
  std::vector<virtual_time> told_;          // in the plan that finds them
  static constexpr std::size_t most_ahead = std::size_t{1} << 22;  // activities
};

/// The plan of a run of an exchange, which it keeps.
template <class Exchange>
class planner {
 public:
  /// The graph outlives the planner. weights: matrices (n, n) of the exchange on this graph; none:
  /// they are made here.
  template <class Compute>
  planner(Exchange const &exchange, graph const &g, virtual_clock<Compute> const &time,
          plan_settings const &settings, by_round<mixing_matrix> weights = {})
      : planner(exchange, g, prepared(time), settings, std::move(weights)) {}
  planner(Exchange const &exchange, graph const &g, prepared_clock const &time,
          plan_settings const &settings, by_round<mixing_matrix> weights = {})
      : exchange_(exchange),
        plan_(exchange_, g, time, settings, std::move(weights)),
        windows_(plan_, g, time, settings) {}

  /// As window_planner::next.
  bool next(plan_window &window, std::uint64_t limit = plan_window::no_limit) {
    return windows_.next(window, limit);
  }
  /// As window_planner::most_payloads.
  std::vector<std::uint32_t> most_payloads() const { return windows_.most_payloads(); }

 private:
  Exchange exchange_;
  plan_of<Exchange> plan_;
  window_planner windows_;
};

}  // namespace gossip
