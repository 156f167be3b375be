// Exchanges of any kind in one type, for programs that choose them at run time, and for simulators,
// which hold all exchanges so.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/core/by_round.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/function_list.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/plan/settings.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/exchange_outline.hpp>
#include <gossip/simulator/held_exchange.hpp>
#include <gossip/simulator/requirements.hpp>

namespace gossip {

/// Holds an exchange. Functions: a function_list of the functions that exchanges in it name on a
/// device beside the library's; hosts need none.
template <class Functions = function_list<>>
class basic_any_exchange : public detail::held_exchange {
 public:
  using functions = Functions;

  /// Not explicit, so that an exchange can be given wherever one of this type is expected.
  template <class X>
    requires(!std::same_as<X, basic_any_exchange>)
  basic_any_exchange(X exchange) : held_exchange(std::make_shared<X const>(std::move(exchange))) {
    static_assert(!erased_exchange<X>,
                  "gossip::basic_any_exchange: holds an exchange, not a second any_exchange. See "
                  "docs/policies/exchange.md");
    static_assert(exchange_requirements<X>::hold);
  }
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
      : next_(exchange.plan(g, prepared(time), settings, std::move(weights))) {}

  bool next(plan_window &window, std::uint64_t limit = plan_window::no_limit) {
    return next_(window, limit);
  }

 private:
  window_source next_;
};

namespace detail {

template <class Exchange>
constexpr auto holder_of() {
  if constexpr (erased_exchange<Exchange>)
    return std::type_identity<Exchange>{};
  else
    return std::type_identity<basic_any_exchange<typename own_functions<Exchange>::type>>{};
}
/// The type by which a simulator holds its exchange.
template <class Exchange>
using any_of = typename decltype(holder_of<Exchange>())::type;

}  // namespace detail

}  // namespace gossip
