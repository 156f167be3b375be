// Definitions of simulator/causes.hpp.
#pragma once

#include <gossip/simulator/causes.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void function_type_names::take(plan_window const &window) {
  for (auto const &[number, entry] : window.functions) {
    auto &list = types_[static_cast<std::size_t>(entry->kind())];
    if (list.size() <= number) list.resize(number + std::size_t{1});
    list[number] = entry->type;
  }
}

GOSSIP_INLINE std::string function_type_names::operator()(operation const &o) const {
  if (o.kind() == operation_kind::mix) return name(function_kind::neighborhood, o.mix().function);
  if (o.kind() == operation_kind::compute) return name(function_kind::scalar, o.compute().function);
  if (o.kind() == operation_kind::whole_rows)
    return name(function_kind::whole_row, o.whole_rows().function);
  if (o.kind() == operation_kind::columns) return name(function_kind::column, o.columns().function);
  return "a function";
}

GOSSIP_INLINE void run_causes::cut(plan_history &history, std::size_t begin,
                                   row_fault const &fault) const {
  auto &entries = history.entries;
  history.fault = entries.size();
  if (!fault.at()) return;
  auto const from = entries.begin() + static_cast<std::ptrdiff_t>(begin);
  auto const met = std::find_if(from, entries.end(),
                                [&](auto const &e) { return e.what->does_as(*fault.at()); });
  if (met == entries.end()) return;
  history.fault = static_cast<std::size_t>(met - entries.begin());
  bool const trains = fault.at()->kind() == operation_kind::train;
  if (on_device && trains) {  // which has taken its step before the loss is looked at
    history.intact = false;
    return;
  }
  std::uint32_t const level = met->what->level;
  auto const rest = entries.erase(met);
  if (order == execution_order::any) return;
  entries.erase(std::find_if(rest, entries.end(),
                             [&](auto const &e) {
                               return order == execution_order::stream || !trains ||
                                      e.what->kind() != operation_kind::train ||
                                      e.what->level != level;
                             }),
                entries.end());
}

}  // namespace gossip::detail
