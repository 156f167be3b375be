// Turns topology, clock and exchange into operations. It knows no weights, no data and no device.
#pragma once

#include <cstdint>
#include <memory>
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
                 plan_settings const &settings);
  window_planner(window_planner const &) = delete;
  window_planner &operator=(window_planner const &) = delete;

  /// Fills the next window (trainings_of_window, or what is left); false where the run is over. It
  /// ends as well after the round or event by which `limit` node-iterations of the run have ended;
  /// a call plans at least one round or event, whatever the limit. Limits cut the stream of
  /// operations and change none of them.
  bool next(plan_window &window, std::uint64_t limit = plan_window::no_limit);

  /// The most payloads that each sender has had so far, (n + servers).
  std::vector<std::uint32_t> most_payloads() const { return plan_.boxes_.most(); }

 private:
  struct unchecked {};  // a plan that finds the ends of rounds, for one that was checked
  window_planner(unchecked, plan &of, graph const &g, plan_settings const &settings)
      : plan_(of), cadences_(settings.cadences, settings.node_iterations, g.nodes()) {}

  /// The ends of all rounds, which a plan of the whole run beforehand finds, once for all plans
  /// that share their settings' ends.
  std::shared_ptr<round_ends const> ends_of_rounds(graph const &g, prepared_clock const &time,
                                                   plan_settings const &settings);

  /// The end of a round: known, or found by going on until a node has nothing left to do, so that
  /// messages of the rounds that it is ahead meet those of others.
  void time_round();

  bool finished() const {
    return plan_.started_ >= plan_.settings_.node_iterations || plan_.stopped_;
  }

  /// A round begins, without nodes that are too late for it.
  void begin_round() { plan_.participants_.begin(round_, plan_.times_->late_at(now_)); }

  /// Nodes that take no part in a round wait for its end.
  void hold_absent();

  /// enough: trainings that have begun; limit: node-iterations that have ended.
  void plan_rounds(std::uint64_t enough, std::uint64_t limit);

  void plan_events(std::uint64_t enough, std::uint64_t limit);

  /// Ends activities up to the time of the next event; ends that are told become events.
  void advance_to_events();

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

  void trained(node i);

  /// A message or a timer.
  void happened(event_kind kind, node i, std::uint32_t number);

  void require_trainings() const {
    if (plan_.queue_.empty() && plan_.training_ == 0 && plan_.on_their_way() == 0 &&
        !plan_.trains_no_more() && !plan_.stopped_ && !plan_.asks())
      refuse_dry();
  }
  [[noreturn]] void refuse_dry() const {
    detail::refuse_dry_events(plan_.started_, plan_.settings_.node_iterations,
                              !plan_.times_->always_up(), plan_.times_->losses().so_far());
  }

  progress_mark mark() const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/planner.ipp>
#endif
