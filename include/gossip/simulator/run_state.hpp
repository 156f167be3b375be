// State of a run between two windows, by name: all that it needs to go on but what follows from the
// plan, which is planned again from seed, answers and limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/engine/distributed/watch.hpp>
#include <gossip/observer/named_record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/observed_engine.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/paused_source.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/stopwatch.hpp>

namespace gossip::detail {

/// A line a fact.
inline std::string text_of(fact_list const &all) {
  std::string text;
  for (auto const &[name, value] : all) text += name + ": " + value + '\n';
  return text;
}

/// Throws input_error at the first line that differs. longer: this run ends later, and only then.
void require_same_run(std::string const &saved, std::string const &here, bool longer);

/// A run of so many trainings goes on from a state of a shorter one after `reached` of them. Throws
/// input_error where one of these has been refused that the longer run begins: a node has one
/// training at a time. place: of the state.
void require_before_end(std::string const &place, std::uint64_t of_state, std::uint64_t reached,
                        std::uint64_t trainings, std::size_t nodes);

/// Engine and observers outlive it. Engine: observed_engine, whatever runs; a template, for a file
/// that runs nothing is not to wait for it.
template <class Engine>
struct run_state {
  Engine &engine;
  observer_list const &observers;
  run_report &report;
  std::vector<std::uint64_t> &pauses;  // limits at which windows have ended
  fact_list told;                      // settings and policies
  std::uint64_t trainings;             // node-iterations of the whole run
  stopwatch watch{};
  std::uint64_t windows = 0, begun_windows = 0;  // executed
  progress_mark reached{}, begun{};  // begun: of the state that this process has gone on from
  std::uint64_t plan = 0;            // hash of the last window executed

  /// Throws input_error where the state that is copied in is not of this run.
  void name_state(state_visitor const &visit) {
    std::string const here = text_of(told);
    std::string named = here;
    visit.list("facts", named);
    auto const run = visit.within("run");
    std::uint64_t expected = trainings;
    run.value("trainings", expected);
    require_same_run(named, here, expected < trainings);
    run.value("windows", windows);
    run.list("answers", report.answers);
    run.value("plan of the last window", plan);
    run.list("limits of windows", pauses);
    name_mark(run, reached);
    watch.name_state(run);
    name_record(run.within("last record"), report.last);
    engine.name_state(visit);
    observers.name_state(visit);
  }

  /// A window has been executed, and its question answered. At the limit of a piece and at the end
  /// of the run the state may be asked for later, when the window is gone.
  void end_window(plan_window const &window, std::uint64_t limit) {
    ++windows;
    reached = window.end;
    bool const at_limit = reached.node_iterations >= limit;
    if (at_limit) pauses.push_back(limit);
    if (at_limit || window.is_last()) plan = hash_of(window);
    window_end const now{windows,
                         reached,
                         [&](state_visitor const &visit) {
                           plan = hash_of(window);
                           name_state(visit);
                         },
                         engine.rank(),
                         engine.ranks(),
                         begun,
                         begun_windows,
                         report.announced.copy > 0,
                         window.is_last(),
                         [this](bool here) { return engine.any(here); }};
    watch.look([&] { observers.end_window(now); });
  }

  /// Plans again what was executed before the state, which this run takes, window by window.
  void resume(saved_state const &state, paused_source &windows_again) {
    state.restore([&](state_visitor const &visit) { name_state(visit); });
    require_before_end("state", state.list<std::uint64_t>("run/trainings").at(0),
                       reached.node_iterations, trainings, report.nodes);
    begun = reached;
    begun_windows = windows;
    windows_again.pauses = pauses;
    stopwatch const replay;
    std::uint64_t here = windows == 0 ? plan : plan + 1;
    plan_window window;
    virtual_time end = reached.time;
    for (std::uint64_t k = 1; k <= windows; ++k) {
      if (!windows_again(window, plan_window::no_limit)) break;
      if (window.asks) break;  // a question that the state has no answer to
      observers.look_ahead(window, report.nodes);
      engine.pass_over(window);
      if (k < windows) continue;
      here = hash_of(window);
      end = window.end.time;
    }
    report.replay_seconds = replay.training();
    if (here != plan)
      throw input_error("state: window " + std::to_string(windows) + " of the plan",
                        "hash " + hex(plan) + ", as in the saved run", hex(here));
    if (end != reached.time)
      throw input_error(
          "state: window " + std::to_string(windows) + " of the plan",
          "an end at " + std::to_string(reached.time.count()) + " ns, as in the saved run",
          "one at " + std::to_string(end.count()) + " ns");
  }
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/run_state.ipp>
#endif
