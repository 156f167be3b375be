// Definitions of plan/staleness.hpp.
#pragma once

#include <gossip/plan/staleness.hpp>

#include <gossip/core/inline.hpp>
#include <gossip/plan/row_uses.hpp>

namespace gossip {

GOSSIP_INLINE void planned_staleness::count(plan_window const &window,
                                            std::span<operation const> part) {
  for (operation const &o : part) {
    take(o);
    if (window.servers > 0)
      of_servers_.count(o, window, [this](node of, std::uint64_t staleness) {
        apply(nodes_[of], staleness);
        nodes_[of].waits = false;
      });
  }
}

GOSSIP_INLINE std::vector<double> planned_staleness::means() const {
  std::vector<double> all(nodes_.size());
  std::ranges::transform(nodes_, all.begin(), [](of_node const &one) {
    return one.applied == 0 ? 0.0 : static_cast<double>(one.sum) / static_cast<double>(one.applied);
  });
  return all;
}

GOSSIP_INLINE void planned_staleness::take(operation const &o) {
  switch (o.kind()) {
    case operation_kind::train:
      begin(nodes_[o.a]);
      if (o.train().steps()) step(nodes_[o.a]);
      return;
    case operation_kind::step:
      if (o.a < nodes_.size()) step(nodes_[o.a]);
      return;
    case operation_kind::reduce:
      for (of_node &one : nodes_) step(one);
      return;
    default:
      row_uses const uses = uses_of(o);
      bool const alone = o.kind() == operation_kind::mix && nodes_.size() == 1;
      of_all_ += (uses.every_node.written & 1) != 0 && !alone;
      if ((uses.first.written & 1) != 0) change(o.a);
      if ((uses.second.written & 1) != 0) change(o.b());
  }
}

}  // namespace gossip
