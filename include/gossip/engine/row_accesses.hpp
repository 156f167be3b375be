// What an operation does to single rows, as far as the plan shows it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gossip/core/node.hpp>
#include <gossip/engine/sum_terms.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Numbers of models and coefficients that work are smaller.
inline constexpr double usual_number = 1024;

/// Whether it changes the parameters in a row of an owner. A training without its step leaves the
/// model's as they are.
inline bool writes_row(operation const &o, fleet_size const &size, node owner, std::uint8_t slot) {
  if (size.shared) return o.kind == operation_kind::reduce;
  if (o.kind == operation_kind::train && slot == 0 && !o.fused_step()) return false;
  return (uses_of(o, owner, size.nodes).written >> slot & 1) != 0;
}

/// f(owner, slot) for every row from which an operation makes those of `owner`.
template <class F>
void each_row_read(operation const &o, plan_window const &window, fleet_size const &size,
                   node owner, F f) {
  if (o.kind == operation_kind::mix) {
    for (node const j : window.matrices[o.count]->row(owner).columns) f(j, o.slot());
  } else if (o.kind == operation_kind::sum) {
    each_term(o, window, size.nodes, [&](node i, double) { f(i, o.rows.slot_of(true)); });
  } else {
    for (std::size_t k = 0; k < o.rows.size(); ++k)
      if (o.rows[k].reads) f(o.rows[k].of_second ? o.b : o.a, o.rows[k].slot);
  }
}

/// The coefficient that is furthest from 0 among those that the plan gives a function of the
/// library, or a sum over nodes.
inline double largest_coefficient(operation const &o, plan_window const &window) {
  double largest = 0;
  auto const take = [&](double c) {
    if (!(std::abs(c) <= std::abs(largest))) largest = c;
  };
  if (o.kind == operation_kind::sum) {
    if (o.sums_all_nodes()) return o.weight();
    for (std::size_t k = 0; k < o.b; ++k) take(window.terms[o.count + k].weight);
  } else if (o.kind == operation_kind::columns && !o.reads_scalars()) {
    std::size_t const count = library_functions::coefficients(o.code);  // 0 of those of exchanges
    if (count == 1 && !o.in_fragment()) return o.coefficient;
    for (std::size_t k = 0; k < count; ++k) take(window.coefficients[o.count + k]);
  }
  return largest;
}

/// Whether a column function of the library is a sum of rows.
inline bool is_sum(operation const &o) {
  return o.code >= library_functions::number_of<op::linear<1>> &&
         o.code <= library_functions::number_of<op::linear<7>>;
}

/// Whether a number that is not finite stays so: the row is among those that its next content is
/// made of.
inline bool keeps_infinities(operation const &o, plan_window const &window, node owner,
                             std::uint8_t slot) {
  switch (o.kind) {
    case operation_kind::train:
    case operation_kind::step:
      return true;
    case operation_kind::mix:
      return o.code == 0 &&
             std::ranges::find(window.matrices[o.count]->row(owner).columns, owner) !=
                 window.matrices[o.count]->row(owner).columns.end();
    case operation_kind::columns:
      if (o.in_fragment() || o.code >= library_functions::size || applies<op::sign>(o))
        return false;
      return (owner == o.a && (o.rows.read(false) >> slot & 1) != 0) ||
             (owner == o.b && (o.rows.read(true) >> slot & 1) != 0);
    default:
      return false;
  }
}

/// Whether an operation that neither trains nor steps can make infinite numbers of finite ones that
/// are not near the end of their type.
inline bool makes_infinities(operation const &o, plan_window const &window) {
  switch (o.kind) {
    case operation_kind::mix:
      return o.code >= library_neighborhoods::size;
    case operation_kind::columns:
      if (applies<op::mean_of_two>(o) || applies<op::clear>(o) || applies<op::sign>(o) ||
          applies<op::rounding<bf16>>(o) || applies<op::below_mean>(o))
        return false;
      if (o.reads_scalars() || o.code >= library_functions::size ||
          applies<op::rounding<fp16>>(o) || applies<op::squared_difference>(o) ||
          applies<op::adaptive_step>(o))
        return true;
      return !(std::abs(largest_coefficient(o, window)) <= usual_number);
    case operation_kind::sum:  // on a device, of numbers beyond 2^20; on the host it ends the run
    case operation_kind::whole_rows:
      return true;
    default:
      return false;
  }
}

}  // namespace gossip
