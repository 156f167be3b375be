// The observers of a run: who is due at an observation, and in what order they are called.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/observer/every.hpp>
#include <gossip/observer/observer.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/simulator/plan_report.hpp>

namespace gossip::detail {

template <class O>
inline constexpr bool is_periodic = false;
template <class P, class... O>
inline constexpr bool is_periodic<periodic<P, O...>> = true;

/// f(observer, cadence) for every observer; cadence is the number of its periodic group, or -1.
template <class Tuple, class F>
void for_each_observer(Tuple &arguments, F f) {
  int next = 0;
  auto const visit = [&](auto &argument) {
    if constexpr (is_periodic<std::remove_cvref_t<decltype(argument)>>) {
      int const cadence_number = next++;
      std::apply([&](auto &...inner) { (f(inner, cadence_number), ...); }, argument.observers);
    } else {
      f(argument, -1);
    }
  };
  std::apply([&](auto &...argument) { (visit(argument), ...); }, arguments);
}

/// The cadences of the periodic groups.
template <class Tuple, class ToCadence>
std::vector<cadence> cadences(Tuple const &arguments, ToCadence to_cadence) {
  std::vector<cadence> all;
  auto const visit = [&](auto const &argument) {
    if constexpr (is_periodic<std::remove_cvref_t<decltype(argument)>>)
      all.push_back({to_cadence(argument.period)});
  };
  std::apply([&](auto const &...argument) { (visit(argument), ...); }, arguments);
  return all;
}

/// Bytes of the test sets of all observers, each set once.
template <class Tuple>
std::size_t test_bytes(Tuple &arguments) {
  std::vector<dataset const *> sets;
  std::size_t bytes = 0;
  for_each_observer(arguments, [&](auto &one, int) {
    if constexpr (tests<std::remove_cvref_t<decltype(one)>>) {
      dataset const &set = one.test_set();
      if (std::ranges::find(sets, &set) != sets.end()) return;
      sets.push_back(&set);
      bytes += outline_of(set).bytes(set.shape().size());
    }
  });
  return bytes;
}

template <class Tuple, class Context>
constexpr void require_hooks() {
  []<class... A>(std::type_identity<std::tuple<A...>>) {
    [[maybe_unused]] auto const check = []<class O>(std::type_identity<O>) {
      static_assert(
          observer<O, Context>,
          "gossip::simulator::run: an argument has no hook of an observer (begin, "
          "measure, take, tick, planned, window_ended or end). See docs/policies/observer.md");
    };
    [[maybe_unused]] auto const each = [&]<class O>(std::type_identity<O> one) {
      if constexpr (is_periodic<O>)
        []<class P, class... I>(std::type_identity<periodic<P, I...>>, auto inner_check) {
          (inner_check(std::type_identity<I>{}), ...);
        }(one, check);
      else
        check(one);
    };
    (each(std::type_identity<A>{}), ...);
  }(std::type_identity<Tuple>{});
}

/// One observation: those due measure, then all take the record, on the root alone.
template <class Tuple, class Context>
void observe(Tuple &arguments, Context &context, observation const &o, record &r, bool is_root) {
  context.renew();
  auto const due = [&](int group) {
    return o.last || (group >= 0 && (o.due >> static_cast<unsigned>(group) & 1) != 0);
  };
  for_each_observer(arguments, [&](auto &one, int group) {
    if constexpr (measures<std::remove_cvref_t<decltype(one)>, Context>)
      if (due(group)) one.measure(context, r);
  });
  for_each_observer(arguments, [&](auto &one, int group) {
    if constexpr (takes<std::remove_cvref_t<decltype(one)>>)
      if (is_root && (group < 0 || due(group))) one.take(r);
  });
}

}  // namespace gossip::detail
