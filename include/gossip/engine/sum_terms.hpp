// Terms of sums over nodes, as all engines read them from a plan.
#pragma once

#include <cstddef>
#include <span>

#include <gossip/core/error.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

static_assert(node_term::most <= reproducible_sum::most_addends);

/// Throws for a sum with a number that reproducible_sum cannot hold.
[[noreturn]] inline void refuse_sum() {
  throw diverged(
      "exchange: a sum over nodes: expected numbers below 2^20 in all rows, got another");
}

/// f(owner, weight) for every term of a sum.
template <class F>
void each_term(operation const &o, plan_window const &window, std::size_t nodes, F f) {
  if (o.sums_all_nodes())
    for (node i = 0; i < nodes; ++i) f(i, o.weight());
  else
    for (node_term const &term : std::span(window.terms).subspan(o.count, o.b))
      f(term.owner, term.weight);
}

}  // namespace gossip
