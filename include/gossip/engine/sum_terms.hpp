// Terms of sums over nodes, as all engines read them from a plan.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

static_assert(node_term::most <= reproducible_sum::most_addends);

/// The sentence of a sum with a number that reproducible_sum cannot hold. where: the place of it.
inline std::string refused_sum(std::string const &where, plan_window const &window) {
  return "exchange: a sum over nodes: " + where + ", by round " + std::to_string(window.end.round) +
         ", and sums take numbers below 2^20: the run diverges";
}

/// f(owner, weight) for every term of a sum.
template <class F>
void each_term(operation const &o, plan_window const &window, std::size_t nodes, F f) {
  work::sum const &sum = o.sum();
  if (sum.over_all_nodes)
    for (node i = 0; i < nodes; ++i) f(i, sum.weight);
  else
    for (node_term const &term : std::span(window.terms).subspan(sum.first, sum.count))
      f(term.owner, term.weight);
}

/// Every owner.
struct any_owner {
  constexpr bool operator()(node) const { return true; }
};

/// Throws for such a sum where rows are at hand: number(i, c) is that of owner i in column c, for
/// owners that are here. The first owner with such a number is named, as all engines find it.
template <class Number, class Owns = any_owner>
[[noreturn]] void refuse_sum(operation const &o, plan_window const &window, std::size_t nodes,
                             std::size_t end, Number number, Owns owns = {}) {
  each_term(o, window, nodes, [&](node i, double weight) {
    if (!owns(i)) return;
    for (std::size_t c = o.first_column(); c < end; ++c)
      if (double const one = number(i, c);
          !(std::abs(weight * one) < reproducible_sum::largest_addend))
        throw row_fault(
            refused_sum(
                (i < nodes ? "node " + std::to_string(i) : "server " + std::to_string(i - nodes)) +
                    " has " + detail::shortest(one) + " in column " + std::to_string(c),
                window),
            o, i, o.rows.slot_of(true));
  });
  throw diverged(refused_sum("a row has a number that is too large", window));
}

}  // namespace gossip
