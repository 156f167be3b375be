// Executes a plan, window after window, and lets the observers look where it says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/engine/finite_rows.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/plan/background_planner.hpp>
#include <gossip/plan/decision.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/causes.hpp>
#include <gossip/simulator/observed_engine.hpp>
#include <gossip/simulator/observers.hpp>
#include <gossip/simulator/paused_source.hpp>
#include <gossip/simulator/remarks.hpp>
#include <gossip/simulator/run_state.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/stopwatch.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip::detail {

/// Gives all nodes the same model, whose memory is free again before anybody takes a mean. Throws
/// input_error where settings have a row of another length.
template <class T, class Engine, class Model>
void start_from_one(Engine &engine, Model const &model, std::size_t d,
                    run_settings const &settings) {
  std::vector<T> first(d);
  if (settings.start.empty())
    model.initialise(std::span<T>(first), settings.seed);
  else if (settings.start.size() != first.size())
    throw input_error("run: start", "a row of " + std::to_string(first.size()) + " numbers",
                      std::to_string(settings.start.size()));
  else
    std::ranges::transform(settings.start, first.begin(),
                           [](double x) { return static_cast<T>(x); });
  for (std::size_t c = 0; c < settings.start.size(); ++c)
    if (!std::isfinite(settings.start[c]))
      throw input_error("run: start", "finite numbers",
                        rounded_text(settings.start[c]) + " at place " + std::to_string(c));
  engine.set_all(first);
}

/// One observation: those due measure, then all take the record, on the root alone.
template <class Engine>
void take_record(run_state<Engine> &state, observation const &o) {
  record r;
  r.mark = o.mark;
  r.wall_seconds = state.watch.training();
  r.loss = state.engine.take_mean_loss();
  r.last = o.last;
  r.interrupted = state.report.interrupted;
  state.watch.look([&] {
    state.engine.measure(o, r);
    if (state.engine.is_root()) state.observers.take(o, r);
  });
  state.report.last = r;
}

/// The quantity that an exchange asks for, of what observers have measured. Throws input_error
/// where none has.
inline double answer_to(measured what, record const &r) {
  std::optional<double> found;
  switch (what) {
    case measured::accuracy:
      if (r.accuracy) found = r.accuracy->mean;
      break;
    case measured::averaged_model_accuracy:
      found = r.averaged_model_accuracy;
      break;
    case measured::test_loss:
      found = r.test_loss;
      break;
    case measured::consensus_distance:
      found = r.consensus_distance;
      break;
  }
  if (!found)
    throw input_error(std::string("exchange: asks for ") + name_of(what),
                      "an observer of the run that measures it", "none");
  return *found;
}

/// Before the first window: from the beginning, or from the state that settings name.
template <class Engine>
void begin_run(paused_source &windows, run_state<Engine> &state, run_settings const &settings) {
  state.report.answers = settings.answers;
  state.watch = {};
  if (settings.state) state.resume(*settings.state, windows);
  state.watch.stop();
}

/// Executes windows until `limit` node-iterations have ended. Writes into the report how far the
/// run came and what it took. Returns whether the run is over.
template <class Engine>
bool follow(background_planner &windows, run_state<Engine> &state, run_settings const &settings,
            std::uint64_t limit) {
  run_report &report = state.report;
  progress_mark &reached = state.reached;
  state.watch.go_on();
  windows.go_on_to(limit);
  bool const ticks = state.engine.is_root() && state.observers.ticks();
  auto const look = [&](observation const &o) { take_record(state, o); };
  while (plan_window const *window = windows.next()) {
    auto const tick_and_stop = [&] {
      if (ticks)
        state.observers.tick(state.engine.reached(reached, *window), state.watch.training());
      return settings.interrupt && settings.interrupt->load(std::memory_order_relaxed);
    };
    state.observers.look_ahead(*window, report.nodes);
    report.interrupted = !state.engine.run(*window, look, tick_and_stop);
    if (report.interrupted) {
      reached = state.engine.reached(reached, *window);
      look({reached, 0, true});
      break;
    }
    if (window->asks) {
      state.watch.look([&] {
        record r;
        observation now{};
        now.last = true;
        state.engine.measure(now, r);
        report.answers.push_back(answer_to(*window->asks, r));
      });
      window->answers->push_back(report.answers.back());
    }
    report.stopped = window->stopped;
    state.end_window(*window, limit);
    if (window->asks) windows.answered();
  }
  state.watch.stop();
  report.wall_seconds = state.watch.training();
  report.evaluation_seconds = state.watch.looking();
  report.planning_seconds = windows.planning_seconds();
  report.node_iterations = reached.node_iterations;
  report.virtual_seconds = static_cast<double>(reached.time.count()) * 1e-9;
  report.bytes_sent = reached.bytes_sent;
  return report.interrupted || windows.over();
}

/// Throws the fault of a model at the end of a run with its cause; alike on every rank.
template <class Engine>
void refuse_model(Engine &engine, row_fault const &fault, run_causes const &causes,
                  std::size_t windows, std::vector<std::uint64_t> const &pauses,
                  run_report const &report) {
  if (report.interrupted) throw diverged(fault.what());  // within a window, wherever it was
  throw diverged(
      causes.sentence(fault, windows, report.answers, pauses, [&](node i, std::uint8_t slot) {
        if constexpr (requires { engine.extreme_together(i, slot); })
          return engine.extreme_together(i, slot);
        else
          return engine.extreme(i, slot);
      }));
}

/// Writes into the report what the models have become after `windows` windows; throws error where
/// a model has a number that is not finite.
template <class Engine>
void judge(Engine &engine, run_causes const &causes, std::size_t windows,
           std::vector<std::uint64_t> const &pauses, run_report &report) try {
  fleet_size const &size = causes.size;
  report.mean_cohort = engine.mean_cohort();
  report.skipped = engine.skipped();
  auto const &rows = engine.host_rows();
  report.digest = digest(rows, engine.host_loops());
  require_finite(rows, engine.host_loops(), 0, size.attackers);
  if (size.servers == 0) return;
  auto const &servers = engine.host_rows_of_servers();
  report.digest = mix_word(report.digest, digest(servers, engine.host_loops()));
  require_finite(servers, engine.host_loops(), size.nodes);
} catch (row_fault const &fault) {
  refuse_model(engine, fault, causes, windows, pauses, report);
}

}  // namespace gossip::detail
