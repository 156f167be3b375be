// The observers of a run: who is due at an observation, and in what order they are called. Their
// types end here, so that what calls them is not compiled for every list of observers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/core/named_state.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/observer/record.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/observer/window_end.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

template <class O>
inline constexpr bool is_periodic = false;
template <class P, class... O>
inline constexpr bool is_periodic<periodic<P, O...>> = true;

/// The hooks of an observer that know no context, null where it lacks them.
struct plain_hooks {
  void (*begin)(void *observer, run_outline const &) = nullptr;
  void (*take)(void *observer, record const &) = nullptr;
  void (*tick)(void *observer, progress_mark const &, double wall_seconds) = nullptr;
  void (*planned)(void *observer, plan_window const &, std::size_t nodes) = nullptr;
  void (*window_ended)(void *observer, window_end const &) = nullptr;
  void (*end)(void *observer, run_report const &) = nullptr;
  void (*name_state)(void *observer, state_visitor const &) = nullptr;
  dataset const &(*test_set)(void *observer) = nullptr;
};

template <class O>
O &as(void *observer) {
  return *static_cast<O *>(observer);
}

template <class O>
constexpr plain_hooks make_plain_hooks() {
  plain_hooks h;
  if constexpr (begins<O>) h.begin = [](void *o, run_outline const &run) { as<O>(o).begin(run); };
  if constexpr (takes<O>) h.take = [](void *o, record const &r) { as<O>(o).take(r); };
  if constexpr (ticks<O>)
    h.tick = [](void *o, progress_mark const &at, double wall) { as<O>(o).tick(at, wall); };
  if constexpr (looks_ahead<O>)
    h.planned = [](void *o, plan_window const &w, std::size_t n) { as<O>(o).planned(w, n); };
  if constexpr (ends_windows<O>)
    h.window_ended = [](void *o, window_end const &now) { as<O>(o).window_ended(now); };
  if constexpr (ends<O>) h.end = [](void *o, run_report const &r) { as<O>(o).end(r); };
  if constexpr (keeps_state<O>)
    h.name_state = [](void *o, state_visitor const &visit) { as<O>(o).name_state(visit); };
  if constexpr (tests<O>)
    h.test_set = [](void *o) -> dataset const & { return as<O>(o).test_set(); };
  return h;
}
template <class O>
inline constexpr plain_hooks plain_hooks_of = make_plain_hooks<O>();

/// The hooks that look at a run. Throws input_error where an observer cannot measure it.
template <class Context>
struct context_hooks {
  void (*check)(void *observer, Context &) = nullptr;
  void (*measure)(void *observer, Context &, record &) = nullptr;
};

template <class O, class Context>
constexpr context_hooks<Context> make_context_hooks() {
  static_assert(observer<O, Context>,
                "gossip::simulator::run: an argument has no hook of an observer (begin, measure, "
                "take, tick, planned, window_ended or end). See docs/policies/observer.md");
  static_assert(
      !measures_a_copy<O, Context>,
      "gossip::simulator::run: an observer's measure takes the record by value or const, "
      "so that its numbers would be lost; expected void measure(auto &context, record &r). "
      "See docs/policies/observer.md");
  context_hooks<Context> h;
  if constexpr (checks<O, Context>) h.check = [](void *o, Context &c) { as<O>(o).check(c); };
  if constexpr (measures<O, Context>)
    h.measure = [](void *o, Context &c, record &r) { as<O>(o).measure(c, r); };
  return h;
}

/// f(element) for every element of a tuple.
template <class Tuple, class F>
void for_each_element(Tuple &all, F f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::get<I>(all)), ...);
  }(std::make_index_sequence<std::tuple_size_v<Tuple>>());
}

/// f(observer, group) for every observer; group is the number of its periodic group, or -1.
template <class Arguments, class F>
void for_each_observer(Arguments &arguments, F f) {
  int groups = 0;
  for_each_element(arguments, [&]<class O>(O &argument) {
    if constexpr (is_periodic<O>) {
      int const group = groups++;
      for_each_element(argument.observers, [&](auto &inner) { f(inner, group); });
    } else {
      f(argument, -1);
    }
  });
}

/// The observers of a run in the order of its arguments, a std::tuple that outlives this. Begin,
/// take, tick and end are for the root alone.
class observer_list {
 public:
  template <class Arguments>
  observer_list(Arguments &arguments, epoch_length epoch, std::size_t nodes) {
    for_each_observer(arguments, [&]<class O>(O &one, int group) {
      all_.push_back({&one, group, &plain_hooks_of<O>});
    });
    for_each_element(arguments, [&]<class O>(O &argument) {
      if constexpr (is_periodic<O>) cadences_.push_back(cadence_of(argument.period, epoch, nodes));
    });
  }

  /// The cadences of the periodic groups, in their order.
  std::vector<cadence> const &cadences() const { return cadences_; }

  /// Bytes of the test sets, each set once.
  std::size_t test_bytes() const;

  void take(observation const &o, record const &r) const {
    for (seat const &one : all_)
      if (one.hooks->take && (one.group < 0 || due(one, o))) one.hooks->take(one.observer, r);
  }
  bool ticks() const {
    return std::ranges::any_of(all_, [](seat const &one) { return one.hooks->tick; });
  }
  void tick(progress_mark const &at, double wall_seconds) const {
    for (seat const &one : all_)
      if (one.hooks->tick) one.hooks->tick(one.observer, at, wall_seconds);
  }
  void look_ahead(plan_window const &window, std::size_t nodes) const {
    for (seat const &one : all_)
      if (one.hooks->planned) one.hooks->planned(one.observer, window, nodes);
  }
  void end_window(window_end const &now) const {
    for (seat const &one : all_)
      if (one.hooks->window_ended) one.hooks->window_ended(one.observer, now);
  }
  void end(run_report const &report) const {
    for (seat const &one : all_)
      if (one.hooks->end) one.hooks->end(one.observer, report);
  }
  void name_state(state_visitor const &visit) const;

 protected:
  struct seat {
    void *observer;
    int group;  // a cadence, or -1
    plain_hooks const *hooks;
  };
  static bool due(seat const &one, observation const &o) {
    return o.last || (one.group >= 0 && (o.due >> static_cast<unsigned>(one.group) & 1) != 0);
  }

  std::vector<seat> all_;

 private:
  std::vector<cadence> cadences_;
};

/// Who has set the numbers of a record, so that no observer replaces another's but one that
/// measures at the end alone, which may replace what was measured on the way.
class setters {
 public:
  /// After an observer of this group (-1: at the end alone) has measured; before: the numbers that
  /// were there. Throws input_error.
  void take(record const &r, std::vector<named_number> const &before, int group);

 private:
  std::vector<int> groups_;  // of each number's observer
};

/// With the hooks that look at a run in this context.
template <class Context>
class run_observers : public observer_list {
 public:
  /// arguments: those of the list.
  template <class Arguments>
  run_observers(observer_list list, Arguments &arguments) : observer_list(std::move(list)) {
    for_each_observer(arguments, [this]<class O>(O &, int) {
      hooks_.push_back(make_context_hooks<O, Context>());
    });
  }

  /// Before the first training.
  void begin(Context &context, run_outline const &run, bool is_root) const {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      seat const &one = all_[k];
      if (hooks_[k].check) hooks_[k].check(one.observer, context);
      if (is_root && one.hooks->begin) one.hooks->begin(one.observer, run);
    }
  }

  /// Those that are due at an observation measure.
  void measure(Context &context, observation const &o, record &r) const {
    context.renew();
    setters known;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (!hooks_[k].measure || !due(all_[k], o)) continue;
      std::vector<named_number> const before = r.numbers;
      hooks_[k].measure(all_[k].observer, context, r);
      known.take(r, before, all_[k].group);
    }
  }

 private:
  std::vector<context_hooks<Context>> hooks_;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/observers.ipp>
#endif
