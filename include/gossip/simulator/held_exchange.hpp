// An exchange of any kind, as a run asks it: types of exchanges end here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <gossip/clock/clock.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/observer/provenance.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/provenance.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip {

/// Fills the next window of a plan, up to a limit; false where the run is over. As planner::next.
using window_source = std::function<bool(plan_window &, std::uint64_t limit)>;

namespace detail {

/// Copies share the exchange. Each call costs a call by pointer.
class held_exchange {
 public:
  exchange_outline outline() const { return calls_->outline(exchange_.get()); }

  /// The matrices of weights_on, which checks the graph; empty where the exchange has no weights.
  by_round<mixing_matrix> weights(graph const &g) const {
    return calls_->weights(exchange_.get(), g);
  }

  /// The remarks that the exchange makes itself on a graph; none where it has no such member.
  std::vector<std::string> remarks(graph const &g) const {
    return calls_->remarks(exchange_.get(), g);
  }

  /// The plan of the exchange from its beginning. The graph outlives it.
  window_source plan(graph const &g, prepared_clock const &time, plan_settings const &settings,
                     by_round<mixing_matrix> weights) const {
    return calls_->plan(exchange_.get(), g, time, settings, std::move(weights));
  }

  /// Rows of edges and the most messages of each sender that are kept at a time, (n + servers),
  /// counted by planning the whole run once, with answers that are no numbers; empty where the
  /// exchange has none.
  std::vector<std::uint32_t> most_payloads(graph const &g, prepared_clock const &time,
                                           plan_settings const &settings,
                                           by_round<mixing_matrix> const &weights) const {
    return calls_->payloads(exchange_.get(), g, time, settings, weights);
  }

  /// The members of the exchange, for ranks to compare.
  fact_list facts(std::string const &name) const { return calls_->facts(exchange_.get(), name); }

  /// For reports.
  named_policy in_words() const { return calls_->in_words(exchange_.get()); }

 protected:
  template <class X>
  explicit held_exchange(std::shared_ptr<X const> exchange)
      : exchange_(std::move(exchange)), calls_(&calls_of<X>) {}

 private:
  struct calls {
    exchange_outline (*outline)(void const *exchange);
    by_round<mixing_matrix> (*weights)(void const *exchange, graph const &g);
    std::vector<std::string> (*remarks)(void const *exchange, graph const &g);
    window_source (*plan)(void const *exchange, graph const &g, prepared_clock const &time,
                          plan_settings const &settings, by_round<mixing_matrix> weights);
    std::vector<std::uint32_t> (*payloads)(void const *exchange, graph const &g,
                                           prepared_clock const &time,
                                           plan_settings const &settings,
                                           by_round<mixing_matrix> const &weights);
    fact_list (*facts)(void const *exchange, std::string const &name);
    named_policy (*in_words)(void const *exchange);
  };

  template <class X>
  static X const &value(void const *exchange) {
    return *static_cast<X const *>(exchange);
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
    if constexpr (makes_remarks<X>)
      return value<X>(x).remarks(g);
    else
      return {};
  }
  template <class X>
  static window_source planned(void const *x, graph const &g, prepared_clock const &time,
                               plan_settings const &settings, by_round<mixing_matrix> weights) {
    auto const one =
        std::make_shared<planner<X>>(value<X>(x), g, time, settings, std::move(weights));
    return [one](plan_window &window, std::uint64_t limit) { return one->next(window, limit); };
  }
  template <class X>
  static std::vector<std::uint32_t> counted(void const *x, graph const &g,
                                            prepared_clock const &time,
                                            plan_settings const &settings,
                                            by_round<mixing_matrix> const &weights) {
    if constexpr (takes_messages<X, gossip::plan_of<X>> || exchange_edge_rows<X> > 0) {
      planner<X> counted(value<X>(x), g, time, settings, weights);
      for (plan_window window; counted.next(window);)
        if (window.asks) window.answers->push_back(std::numeric_limits<double>::quiet_NaN());
      return counted.most_payloads();
    } else {
      return {};
    }
  }
  template <class X>
  static fact_list facts_of(void const *x, std::string const &name) {
    fact_list all{{"kind of " + name, typeid(X).name()}};
    add_facts(all, name, value<X>(x));
    return all;
  }
  template <class X>
  static named_policy told(void const *x) {
    return policy_in_words(value<X>(x));
  }

  template <class X>
  static constexpr calls calls_of{&outlined<X>, &weighted<X>, &remarked<X>, &planned<X>,
                                  &counted<X>,  &facts_of<X>, &told<X>};

  std::shared_ptr<void const> exchange_;
  calls const *calls_;
};

}  // namespace detail

}  // namespace gossip
