// Exchanges of any kind in one type, for programs that choose them at run time: a simulator of
// any_exchange compiles its engine once, and an exchange adds its handlers.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/provenance.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/remarks.hpp>
#include <gossip/simulator/requirements.hpp>

namespace gossip {

/// Fills the next window of a plan, up to a limit; false where the run is over. As planner::next.
using window_source = std::function<bool(plan_window &, std::uint64_t limit)>;

/// Holds an exchange. Functions: a function_list of the functions that exchanges in it name on a
/// device beside the library's; hosts need none.
template <class Functions = function_list<>>
class basic_any_exchange {
  using clock_type = virtual_clock<any_compute_time>;

 public:
  using functions = Functions;

  /// Not explicit, so that an exchange can be given wherever one of this type is expected.
  template <class X>
    requires(!std::same_as<X, basic_any_exchange>)
  basic_any_exchange(X exchange)
      : exchange_(std::make_shared<X const>(std::move(exchange))), calls_(&calls_of<X>) {
    static_assert(!erased_exchange<X>,
                  "gossip::basic_any_exchange: holds an exchange, not a second any_exchange. See "
                  "docs/policies/exchange.md");
    static_assert(exchange_requirements<X>::hold);
  }

  exchange_outline outline() const { return calls_->outline(exchange_.get()); }

  /// The matrices of weights_on, which checks the graph; empty where the exchange has no weights.
  by_round<mixing_matrix> weights(graph const &g) const {
    return calls_->weights(exchange_.get(), g);
  }

  /// The remarks of what it holds; see own_remarks in simulator/remarks.hpp.
  std::vector<std::string> remarks(graph const &g) const {
    return calls_->remarks(exchange_.get(), g);
  }

  /// A planner of what it holds. The graph outlives it.
  window_source plan(graph const &g, clock_type const &time, plan_settings const &settings,
                     by_round<mixing_matrix> weights) const {
    return calls_->plan(exchange_.get(), g, time, settings, std::move(weights));
  }

  /// See most_payloads in simulator/attachments.hpp.
  std::vector<std::uint32_t> payloads(graph const &g, clock_type const &time,
                                      plan_settings const &settings,
                                      by_round<mixing_matrix> const &weights) const {
    return calls_->payloads(exchange_.get(), g, time, settings, weights);
  }

  /// The members of what it holds, for ranks to compare.
  fact_list facts(std::string const &name) const { return calls_->facts(exchange_.get(), name); }

  /// For reports.
  named_policy in_words() const { return calls_->in_words(exchange_.get()); }

 private:
  struct calls {
    exchange_outline (*outline)(void const *exchange);
    by_round<mixing_matrix> (*weights)(void const *exchange, graph const &g);
    std::vector<std::string> (*remarks)(void const *exchange, graph const &g);
    window_source (*plan)(void const *exchange, graph const &g, clock_type const &time,
                          plan_settings settings, by_round<mixing_matrix> weights);
    std::vector<std::uint32_t> (*payloads)(void const *exchange, graph const &g,
                                           clock_type const &time, plan_settings const &settings,
                                           by_round<mixing_matrix> const &weights);
    fact_list (*facts)(void const *exchange, std::string const &name);
    named_policy (*in_words)(void const *exchange);
  };

  template <class X>
  static X const &value(void const *exchange) {
    return *static_cast<X const *>(exchange);
  }

  template <class X>
  static window_source planned(void const *x, graph const &g, clock_type const &time,
                               plan_settings settings, by_round<mixing_matrix> weights) {
    auto const one =
        std::make_shared<planner<X>>(value<X>(x), g, time, settings, std::move(weights));
    return [one](plan_window &window, std::uint64_t limit) { return one->next(window, limit); };
  }

  template <class X>
  static exchange_outline outlined(void const *x) {
    return outline_of_exchange(value<X>(x));
  }
  template <class X>
  static by_round<mixing_matrix> weighted(void const *x, graph const &g) {
    return weights_on(value<X>(x), g);
  }
  template <class X>
  static std::vector<std::string> remarked(void const *x, graph const &g) {
    return own_remarks(value<X>(x), g);
  }
  template <class X>
  static std::vector<std::uint32_t> counted(void const *x, graph const &g, clock_type const &time,
                                            plan_settings const &settings,
                                            by_round<mixing_matrix> const &weights) {
    return most_payloads(value<X>(x), g, time, settings, weights);
  }
  template <class X>
  static fact_list facts_of(void const *x, std::string const &name) {
    fact_list all{{"kind of " + name, typeid(X).name()}};
    detail::add_facts(all, name, value<X>(x));
    return all;
  }
  template <class X>
  static named_policy told(void const *x) {
    return detail::policy_in_words(value<X>(x));
  }

  template <class X>
  static constexpr calls calls_of{&outlined<X>, &weighted<X>, &remarked<X>, &planned<X>,
                                  &counted<X>,  &facts_of<X>, &told<X>};

  std::shared_ptr<void const> exchange_;
  calls const *calls_;
};

/// One of the library or of a user's; on a device one that names no functions but the library's.
using any_exchange = basic_any_exchange<>;

/// The plan of what such an exchange holds.
template <class Any>
  requires erased_exchange<Any>
class planner<Any> {
 public:
  template <class Compute>
  planner(Any const &exchange, graph const &g, virtual_clock<Compute> const &time,
          plan_settings const &settings, by_round<mixing_matrix> weights = {})
      : next_(exchange.plan(g, any_clock(time), settings, std::move(weights))) {}

  bool next(plan_window &window, std::uint64_t limit = plan_window::no_limit) {
    return next_(window, limit);
  }

 private:
  window_source next_;
};

}  // namespace gossip
