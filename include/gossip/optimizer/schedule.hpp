// Learning-rate schedules: the factor on the base rate as a function of the epoch, and the
// optimizer that carries one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <vector>

#include <gossip/core/copyable.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/member_names.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/optimizer/optimizer.hpp>

namespace gossip {

/// A schedule is a copyable value with `double factor(double epoch) const` and, optional,
/// `void check() const`, which throws input_error; epochs are global: samples processed by all
/// nodes over the size of the training set.
template <class S>
concept schedule = copyable<S> && requires(S const &s) {
  { s.factor(1.0) } -> std::convertible_to<double>;
};

/// Calls the schedule's check, if it has one.
template <class S>
void check_schedule(S const &s) {
  static_assert(
      !detail::mentions_check<S> || requires { s.check(); },
      "gossip::schedule: the schedule has a check that cannot be called as void check() "
      "const. See docs/policies/optimizer.md");
  if constexpr (requires { s.check(); }) s.check();
}

/// Factor 1 throughout.
struct constant_rate {
  static constexpr double factor(double) { return 1.0; }

  static constexpr char const *name = "constant";
  static constexpr char const *meaning = "constant learning rate";
  static constexpr member_list<> members() { return {}; }
};
static_assert(schedule<constant_rate>);

/// Multiplies by `gamma` at each of the epochs in `at`.
struct step_decay {
  std::vector<double> at;
  double gamma = 0.1;

  double factor(double epoch) const {
    double f = 1.0;
    for (double e : at)
      if (epoch >= e) f *= gamma;
    return f;
  }
  void check() const {
    if (!(gamma >= 0.0)) throw input_error("step_decay", "gamma >= 0", detail::shortest(gamma));
  }

  static constexpr char const *name = "step";
  static constexpr char const *meaning = "learning rate, multiplied by gamma at each listed epoch";
  static constexpr auto members() {
    return member_list{described("at", &step_decay::at, "list of epochs"),
                       described("gamma", &step_decay::gamma, "factor on the learning rate",
                                 {.most = 1, .above_least = true})};
  }
};
static_assert(schedule<step_decay>);

/// Half a cosine from 1 at epoch 0 to `last` at `epochs`, and `last` after (Loshchilov 2017).
struct cosine_decay {
  double epochs = 100.0;
  double last = 0.0;

  double factor(double epoch) const {
    double const t = std::clamp(epoch / epochs, 0.0, 1.0);
    return last + (1.0 - last) * 0.5 * (1.0 + elementary::cos_turn(0.5 * t));
  }
  void check() const {
    if (!(epochs > 0.0)) throw input_error("cosine_decay", "epochs > 0", detail::shortest(epochs));
    if (!(last >= 0.0)) throw input_error("cosine_decay", "last >= 0", detail::shortest(last));
  }

  static constexpr char const *name = "cosine";
  static constexpr char const *meaning = "learning rate falls by half a cosine to a last factor";
  static constexpr auto members() {
    return member_list{
        described("epochs", &cosine_decay::epochs, "number of epochs until the last factor"),
        described("last", &cosine_decay::last, "factor at the end", {.most = 1})};
  }
};
static_assert(schedule<cosine_decay>);

/// Linear from `first` to 1 over `epochs`, then whatever `then` says, in epochs of the whole run
/// (Goyal et al. 2017).
template <schedule Then = constant_rate>
struct warm_up {
  double epochs = 5.0;
  double first = 0.0;
  Then then{};

  double factor(double epoch) const {
    double const ramp = epoch < epochs ? first + (1.0 - first) * epoch / epochs : 1.0;
    return ramp * then.factor(epoch);
  }
  void check() const {
    if (!(epochs >= 0.0)) throw input_error("warm_up", "epochs >= 0", detail::shortest(epochs));
    if (!(first >= 0.0)) throw input_error("warm_up", "first >= 0", detail::shortest(first));
    check_schedule(then);
  }

  static constexpr char const *name = "warm_up";
  static constexpr char const *meaning =
      "factor rises linearly from a first value to 1, times a second schedule";
  static constexpr auto members() {
    return member_list{
        described("epochs", &warm_up::epochs, "number of epochs until the factor is 1"),
        described("first", &warm_up::first, "factor at the beginning", {.most = 1}),
        described("then", &warm_up::then, "second schedule, which begins at epoch 0")};
  }
};
static_assert(schedule<warm_up<>>);

/// An optimizer whose rate follows a schedule: scheduled{sgd{.rate = 0.1}, cosine_decay{.epochs =
/// 5}}
template <class Base, class Schedule>
struct scheduled {
  static_assert(optimizer<Base>,
                "gossip::scheduled: the first is an optimizer, with rate, rows(bool waits) const "
                "and check() const. See docs/policies/optimizer.md");
  static_assert(schedule<Schedule>,
                "gossip::scheduled: the schedule must have double factor(double epoch) const. See "
                "docs/policies/optimizer.md");

  Base base;
  Schedule rate_factor;
  double rate = base.rate;

  static constexpr bool keeps_squares = gossip::keeps_squares<Base>;
  double factor(double epoch) const { return rate_factor.factor(epoch); }
  std::size_t rows(bool waits) const { return optimizer_rows(base, waits); }
  void check() const {
    Base at_this_rate = base;
    at_this_rate.rate = rate;
    check_optimizer(at_this_rate);
    check_schedule(rate_factor);
    if (!(factor(0.0) >= 0.0))
      throw input_error("schedule", "a factor >= 0 at epoch 0", detail::shortest(factor(0.0)));
  }

  template <class T, class F>
  auto kernel(bool waits, F f) const {
    return with_kernel<T>(base, waits, f);
  }
};
template <class Base, class Schedule>
scheduled(Base, Schedule) -> scheduled<Base, Schedule>;

/// The learning rate of an optimizer at an epoch.
template <optimizer O>
double rate_at(O const &o, double epoch) {
  if constexpr (requires { o.factor(epoch); })
    return o.rate * o.factor(epoch);
  else
    return o.rate;
}

}  // namespace gossip
