// The causes of what ends a run, for which its plan is made again up to that place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/core/type_name.hpp>
#include <gossip/engine/cause.hpp>
#include <gossip/engine/engine.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/window.hpp>
#include <gossip/simulator/paused_source.hpp>

namespace gossip::detail {

/// The names of the functions of a plan, as far as its windows have named them.
class function_type_names {
 public:
  void take(plan_window const &window);

  /// The type of the function that an operation names, as a program writes it.
  std::string operator()(operation const &o) const;

 private:
  std::string name(function_kind kind, std::size_t number) const {
    auto const &list = types_[static_cast<std::size_t>(kind)];
    return number < list.size() && list[number] ? type_name(*list[number]) : "a function";
  }

  std::array<std::vector<std::type_info const *>, function_kinds> types_;
};

/// What is known of a run where it ends.
struct run_causes {
  fleet_size size;
  double largest;  // of the numbers of rows
  execution_order order;
  bool on_device;
  /// The plan from its beginning, given the answers so far and the limits at which windows ended.
  std::function<paused_source(std::vector<double> const &, std::vector<std::uint64_t> const &)>
      plan_again;

  /// The sentence of a fault in the last of so many windows, with its cause. look(owner, slot): as
  /// of cause_search.
  template <class Look>
  std::string sentence(row_fault const &fault, std::size_t windows,
                       std::vector<double> const &answers, std::vector<std::uint64_t> const &pauses,
                       Look const &look) const {
    paused_source next = plan_again(answers, pauses);
    plan_window kept[2];
    std::size_t planned = 0;
    function_type_names functions;
    while (planned < windows && next(kept[planned % 2], plan_window::no_limit))
      functions.take(kept[planned++ % 2]);
    plan_history history;
    history.complete = planned <= 2;
    if (planned > 1) append(history, kept[planned % 2]);
    std::size_t const begin = history.entries.size();
    if (planned > 0) append(history, kept[(planned + 1) % 2]);
    cut(history, begin, fault);
    std::function<std::optional<extreme_number>(node, std::uint8_t)> const row = look;
    std::function<std::string(operation const &)> const name = functions;
    return cause_search(history, size, largest, row, name).of(fault);
  }

 private:
  void append(plan_history &history, plan_window const &window) const {
    std::span<operation const> list = window.by_level();
    if (order == execution_order::stream) list = window.stream;
    for (operation const &o : list) history.entries.push_back({&o, &window});
  }

  /// Leaves out what has not been executed.
  void cut(plan_history &history, std::size_t begin, row_fault const &fault) const;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/causes.ipp>
#endif
