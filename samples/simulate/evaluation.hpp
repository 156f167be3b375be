// The driver's observations of a run: accuracy of some nodes on the way and of all at the end,
// distances, lines for people, lines of metrics.jsonl.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gossip/core/named_state.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/gradient_staleness.hpp>
#include <gossip/observer/model_files.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/simulator/observed_engine.hpp>

namespace simulate {

/// The driver's calls during a run; those that are not set are skipped.
struct watcher {
  gossip::accuracy::sample on_the_way, at_end;
  gossip::gradient_staleness staleness;
  gossip::node_scores scores;  // of the last observation, each node's own
  std::optional<gossip::model_files> models;
  std::string unwritten;        // why the models were not written, or ""
  bool passed_on = false;       // the last record, ahead of the models
  std::function<void()> ready;  // on all ranks, when the run is about to begin
  std::function<void(gossip::run_outline const &)> begin;
  std::function<void(gossip::record const &)> take;
  std::function<void(gossip::progress_mark const &, double)> tick;
  std::function<void(gossip::window_end const &)> window_ended;     // on all ranks
  std::function<void(gossip::state_visitor const &)> name_written;  // the files, on all ranks
};

/// The observer: measures, and passes on what it sees.
struct evaluation {
  watcher *to;
  gossip::dataset const *test = nullptr;  // none: the model classifies nothing

  template <class Context>
  void check(Context &) const {
    if (to->ready) to->ready();
  }
  template <class Context>
  void measure(Context &context, gossip::record &r) const {
    bool const whole = r.last && !r.interrupted;
    if (context.outline().learns_from_samples)
      gossip::accuracy(*test, whole ? to->at_end : to->on_the_way, &to->scores).measure(context, r);
    gossip::consensus_distance{}.measure(context, r);
    to->staleness.measure(context, r);
    if (to->models && r.last) write_models(context, r);
  }
  void planned(gossip::plan_window const &window, std::size_t nodes) const {
    to->staleness.planned(window, nodes);
  }
  void begin(gossip::run_outline const &outline) const {
    if (to->begin) to->begin(outline);
  }
  void take(gossip::record const &r) const {
    if (to->take && !to->passed_on) to->take(r);
  }
  void tick(gossip::progress_mark const &mark, double wall_seconds) const {
    if (to->tick) to->tick(mark, wall_seconds);
  }
  void window_ended(gossip::window_end const &now) const {
    if (to->window_ended) to->window_ended(now);
  }
  void name_state(gossip::state_visitor const &visit) const {
    to->staleness.name_state(visit);
    if (to->name_written) to->name_written(visit);
  }

 private:
  /// Behind the last record, which a disk that they fill does not cost; nor do models that cannot
  /// be written: the run ends as it would without them.
  template <class Context>
  void write_models(Context &context, gossip::record const &r) const {
    if (context.is_root()) take(r);
    to->passed_on = true;
    try {
      to->models->check(context);
      to->models->write(context);
    } catch (gossip::error const &fault) {
      to->unwritten = fault.what();
    }
  }
};

}  // namespace simulate
