// What the values of gradients decide about the steps of nodes that train in fp16: the scale of the
// loss, and which steps are left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/skipped_steps.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Nothing is scaled and every step is taken.
template <class T, class Precision>
class loss_scaling {
 public:
  loss_scaling(Precision const &, std::size_t) {}

  static constexpr T const *scale(node) { return nullptr; }
  static constexpr void trained(operation const &, bool) {}
  static constexpr bool steps(operation const &) { return true; }
  static constexpr std::uint64_t skipped(node) { return 0; }
  static constexpr std::optional<skipped_steps> report() { return {}; }
};

/// State of each node, changed by that node's operations only: a gradient that overflows is not
/// absorbed, halves the scale and leaves out the step it was for.
template <class T, class Precision>
requires(Precision::scales_loss) class loss_scaling<T, Precision> {
 public:
  /// rows: nodes, or 1 where all share their parameters, of which one gradient then spoils a step.
  loss_scaling(Precision const &precision, std::size_t rows)
      : interval_(precision.growth_interval),
        states_(rows, state{static_cast<T>(precision.loss_scale)}) {}

  /// What the next gradient of a node is multiplied by.
  T const *scale(node i) const { return &at(i).scale; }

  /// After a training, in the order of the plan: whether all of its gradient was finite.
  void trained(operation const &o, bool finite) {
    ++(finite ? at(o.a).absorbed : at(o.a).overflowed);
    if (o.steps_at_once) steps(o);
  }

  /// Whether the node's step is taken. Throws gossip::error where no scale helps.
  bool steps(operation const &o) {
    state &own = at(o.a);
    bool const taken = own.absorbed > 0 && (!shared() || own.overflowed == 0);
    if (own.overflowed > 0)
      shrink(own, o);
    else if (++own.good == interval_)
      grow(own);
    own.skipped += !taken;
    own.absorbed = own.overflowed = 0;
    return taken;
  }

  /// Steps of node i left out so far.
  std::uint64_t skipped(node i) const { return at(i).skipped; }

  std::optional<skipped_steps> report() const {
    skipped_steps all;
    all.smallest_scale = all.largest_scale = static_cast<double>(states_.front().scale);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      std::uint64_t const own = states_[i].skipped;
      double const scale = static_cast<double>(states_[i].scale);
      all.steps += own;
      all.nodes += own > 0;
      if (own > all.most) all.worst = static_cast<node>(i);
      all.most = std::max(all.most, own);
      all.smallest_scale = std::min(all.smallest_scale, scale);
      all.largest_scale = std::max(all.largest_scale, scale);
    }
    return all;
  }

 private:
  static constexpr T smallest = T(0x1p-14), largest = T(0x1p24);

  struct state {
    T scale;
    std::uint32_t absorbed = 0, overflowed = 0;  // gradients since the last step
    std::uint64_t good = 0;                      // steps in a row
    std::uint64_t skipped = 0;
  };

  bool shared() const { return states_.size() == 1; }
  state &at(node i) { return states_[shared() ? 0 : i]; }
  state const &at(node i) const { return states_[shared() ? 0 : i]; }

  static void shrink(state &own, operation const &o) {
    if (own.scale <= smallest)
      throw error("node " + std::to_string(o.a) + ", step " + std::to_string(o.count) +
                  ": the gradient overflows fp16 at every scale of the loss down to 2^-14; a "
                  "smaller rate or a warm-up may keep it smaller, and bf16 has room for it");
    own.scale /= T{2};
    own.good = 0;
  }
  static void grow(state &own) {
    own.scale = std::min(own.scale * T{2}, largest);
    own.good = 0;
  }

  std::uint64_t interval_;
  std::vector<state> states_;
};

}  // namespace gossip
