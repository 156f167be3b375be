// Staleness of the gradients that servers step by, by the operations of a plan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Follows parameters from a server to the nodes that take gradients at them, and those gradients
/// back, alone or in sums: the staleness of a gradient is the number of steps that the server has
/// taken from when it sent the parameters to the step by it (Zhang et al. 2016). Those that no
/// server steps by are not counted. For one server, or several whose steps are taken in turns.
class server_staleness {
 public:
  /// nodes: owners from there on are servers, and then messages.
  explicit server_staleness(std::size_t nodes) : nodes_(nodes) {}

  /// Calls applied(node, staleness) for every gradient that the operation steps by.
  template <class Applied>
  void count(operation const &o, plan_window const &window, Applied applied) {
    switch (o.kind()) {
      case operation_kind::train:
        if (o.train().goes_to_row())
          put(o.a, o.train().gradient_slot, {0, {{o.a, contents_of(o.a, o.slot()).parameters}}});
        return;
      case operation_kind::step:
        if (o.a >= nodes_) step(o, applied);
        return;
      case operation_kind::sum:
        if (!o.sum().to_all_nodes && !o.sum().over_all_nodes) sum(o, window);
        return;
      default:
        if (row_uses const uses = uses_of(o);
            uses.of_two_owners() && (uses.first.written | uses.second.written) != 0)
          write(o);
    }
  }

 private:
  struct gradient {
    node of;
    std::uint64_t parameters;  ///< steps behind those it was taken at
  };
  /// The gradients in a row, and of parameters the server's steps behind them.
  struct contents {
    std::uint64_t parameters = 0;
    std::vector<gradient> gradients{};

    void add(contents const &other) {
      parameters = std::max(parameters, other.parameters);
      gradients.insert(gradients.end(), other.gradients.begin(), other.gradients.end());
    }
  };

  static std::uint64_t key(node owner, std::size_t slot) {
    return std::uint64_t{owner} * row_list::most_slots + slot;
  }

  contents const &contents_of(node owner, std::size_t slot) const {
    static contents const nothing;
    auto const found = rows_.find(key(owner, slot));
    return found == rows_.end() ? nothing : found->second;
  }

  void put(node owner, std::size_t slot, contents what) {
    if (what.parameters == 0 && what.gradients.empty())
      rows_.erase(key(owner, slot));
    else
      rows_.insert_or_assign(key(owner, slot), std::move(what));
  }

  template <class Applied>
  void step(operation const &o, Applied applied) {
    contents &model = rows_[key(o.a, 0)];
    for (gradient const &one : contents_of(o.a, o.step().gradient_slot).gradients)
      applied(one.of, model.parameters - std::min(one.parameters, model.parameters));
    ++model.parameters;
  }

  void write(operation const &o);

  void sum(operation const &o, plan_window const &window);

  std::size_t nodes_;
  std::unordered_map<std::uint64_t, contents> rows_;  // by owner and slot, those that have any
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/plan/detail/server_staleness.ipp>
#endif
