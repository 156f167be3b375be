// What an operation does to single rows, as far as the plan shows it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>
#include <gossip/engine/sum_terms.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Numbers of models and coefficients that work are smaller.
inline constexpr double usual_number = 1024;

/// Whether it changes the parameters in a row of an owner. A training without its step leaves the
/// model's as they are.
bool writes_row(operation const &o, fleet_size const &size, node owner, std::uint8_t slot);

/// f(owner, slot) for every row from which an operation makes those of `owner`.
template <class F>
void each_row_read(operation const &o, plan_window const &window, fleet_size const &size,
                   node owner, F f) {
  if (o.kind() == operation_kind::mix) {
    for (node const j : window.matrices[o.mix().matrix]->row(owner).columns) f(j, o.slot());
  } else if (o.kind() == operation_kind::sum) {
    each_term(o, window, size.nodes, [&](node i, double) { f(i, o.rows.slot_of(true)); });
  } else {
    for (std::size_t k = 0; k < o.rows.size(); ++k)
      if (o.rows[k].reads) f(o.owner(o.rows[k]), o.rows[k].slot);
  }
}

/// The coefficient that is furthest from 0 among those that the plan gives a function of the
/// library, or a sum over nodes.
double largest_coefficient(operation const &o, plan_window const &window);

/// Whether a column function of the library is a sum of rows.
bool is_sum(operation const &o);

/// Whether a number that is not finite stays so: the row is among those that its next content is
/// made of.
bool keeps_infinities(operation const &o, plan_window const &window, node owner, std::uint8_t slot);

/// Whether an operation that neither trains nor steps can make infinite numbers of finite ones that
/// are not near the end of their type.
bool makes_infinities(operation const &o, plan_window const &window);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/detail/row_accesses.ipp>
#endif
