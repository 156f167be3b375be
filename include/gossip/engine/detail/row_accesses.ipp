// Definitions of engine/row_accesses.hpp.
#pragma once

#include <gossip/engine/row_accesses.hpp>

#include <algorithm>
#include <cmath>

#include <gossip/core/inline.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

GOSSIP_INLINE bool writes_row(operation const &o, fleet_size const &size, node owner,
                              std::uint8_t slot) {
  if (size.shared) return o.kind() == operation_kind::reduce;
  if (o.kind() == operation_kind::train && slot == 0 && !o.train().steps()) return false;
  return (uses_of(o, owner, size.nodes).written >> slot & 1) != 0;
}

GOSSIP_INLINE double largest_coefficient(operation const &o, plan_window const &window) {
  double largest = 0;
  auto const take = [&](double c) {
    if (!(std::abs(c) <= std::abs(largest))) largest = c;
  };
  if (o.kind() == operation_kind::sum) {
    work::sum const &sum = o.sum();
    if (sum.over_all_nodes) return sum.weight;
    for (std::size_t k = 0; k < sum.count; ++k) take(window.terms[sum.first + k].weight);
  } else if (o.kind() == operation_kind::columns && !o.reads_scalars()) {
    work::columns const &own = o.columns();
    std::size_t const count = library_functions::coefficients(own.function);  // 0: an exchange's
    if (count > 0 && own.has_coefficient()) return own.coefficient;
    for (std::size_t k = 0; k < count; ++k) take(window.coefficients[own.first + k]);
  }
  return largest;
}

GOSSIP_INLINE bool is_sum(operation const &o) {
  return o.kind() == operation_kind::columns &&
         o.columns().function >= library_functions::number_of<op::linear<1>> &&
         o.columns().function <= library_functions::number_of<op::linear<7>>;
}

GOSSIP_INLINE bool keeps_infinities(operation const &o, plan_window const &window, node owner,
                                    std::uint8_t slot) {
  switch (o.kind()) {
    case operation_kind::train:
    case operation_kind::step:
      return true;
    case operation_kind::mix: {
      auto const columns = window.matrices[o.mix().matrix]->row(owner).columns;
      return o.mix().function == 0 && std::ranges::find(columns, owner) != columns.end();
    }
    case operation_kind::columns:
      if (!o.limits().are_all() || o.columns().function >= library_functions::size ||
          applies<op::sign>(o))
        return false;
      return (owner == o.a && (o.rows.read(false) >> slot & 1) != 0) ||
             (owner == o.b() && (o.rows.read(true) >> slot & 1) != 0);
    default:
      return false;
  }
}

GOSSIP_INLINE bool makes_infinities(operation const &o, plan_window const &window) {
  if (o.kind() == operation_kind::mix) return o.mix().function >= library_neighborhoods::size;
  if (o.kind() == operation_kind::columns) {
    if (applies<op::mean_of_two>(o) || applies<op::clear>(o) || applies<op::sign>(o) ||
        applies<op::rounding<bf16>>(o) || applies<op::below_mean>(o))
      return false;
    if (o.reads_scalars() || o.columns().function >= library_functions::size ||
        applies<op::rounding<fp16>>(o) || applies<op::squared_difference>(o) ||
        applies<op::adaptive_step>(o))
      return true;
    return !(std::abs(largest_coefficient(o, window)) <= usual_number);
  }
  // Sums on a device, of numbers beyond 2^20, which end the run on the host; whole rows.
  return true;
}

}  // namespace gossip
