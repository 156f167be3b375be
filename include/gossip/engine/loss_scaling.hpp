// Loss scaling of nodes that train in fp16: the scale of the loss and the steps that are left out,
// as the values of gradients decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/skipped_steps.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// State of each node, changed by that node's operations only: a gradient that overflows is not
/// absorbed, halves the scale and leaves out the step it was for. Without a scaled loss there is
/// no state, and every step is taken.
template <class T>
class loss_scaling {
 public:
  /// One state for nodes that share their parameters, where one gradient spoils a step of all.
  loss_scaling(std::optional<scaled_loss> const &how, fleet_size const &size)
      : shared_(size.shared), nodes_(size.shared ? 1 : size.nodes), size_(size) {
    if (!how) return;
    interval_ = how->growth_interval;
    states_.assign(shared_ ? 1 : size.nodes + size.servers, state{static_cast<T>(how->initial)});
  }

  /// True where losses are scaled.
  bool scales() const { return !states_.empty(); }

  /// The factor of the loss for a node's next gradient; null: 1.
  T const *scale(node i) const { return scales() ? &at(i).scale : nullptr; }

  /// After a training, in the order of the plan: whether all of its gradient was finite.
  void trained(operation const &o, bool finite) {
    if (!scales()) return;
    ++(finite ? at(o.a).absorbed : at(o.a).overflowed);
    if (o.train().steps()) steps(o);
  }

  /// Whether the node's step is taken. Throws gossip::error where no scale helps.
  bool steps(operation const &o) {
    if (!scales()) return true;
    state &own = at(o.a);
    if (o.step_number() == 1) own.before = own.skipped;
    bool const taken = own.absorbed > 0 && (!shared_ || own.overflowed == 0);
    if (own.overflowed > 0)
      shrink(own, o);
    else if (++own.good == interval_)
      grow(own);
    own.skipped += !taken;
    own.absorbed = own.overflowed = 0;
    return taken;
  }

  /// The number of a step, from 1, among those that its optimizer has taken.
  std::uint64_t number(operation const &o) const {
    if (!scales() || o.step_number() <= 1) return o.step_number();
    state const &own = at(o.a);
    return o.step_number() - (own.skipped - own.before);
  }

  /// Before a step of what nodes of all ranks share.
  void merge_over_ranks(auto const &ranks) {
    if (!scales() || !shared_) return;
    state &all = states_.front();
    std::int64_t counts[] = {all.absorbed, all.overflowed};
    ranks.all_reduce_sum(std::span<std::int64_t>(counts));
    all.absorbed = static_cast<std::uint32_t>(counts[0]);
    all.overflowed = static_cast<std::uint32_t>(counts[1]);
  }

  /// Those since the last step, which another rank counts from now on.
  void forget_gradients() {
    if (scales()) states_.front().absorbed = states_.front().overflowed = 0;
  }

  /// held: the nodes and servers whose rows are here. A state that all share must be brought
  /// together before; one rank counts on.
  void name_state(state_visitor const &visit, std::span<node const> held) {
    if (!scales()) return;
    node const all = 0;
    auto const name = [&](char const *what, auto state::*member) {
      visit.by_owner(what, states_.size(), shared_ ? std::span(&all, 1) : held,
                     [this, member](node i) -> auto & { return states_[i].*member; });
    };
    name("scales", &state::scale);
    name("absorbed", &state::absorbed);
    name("overflowed", &state::overflowed);
    name("good steps", &state::good);
    name("skipped steps", &state::skipped);
    name("skipped before", &state::before);
  }

  /// The steps that were left out; none where no loss is scaled.
  std::optional<skipped_steps> report() const {
    if (!scales()) return {};
    return of(skipped_by_state(), scales_by_state());
  }

  /// Of all ranks, each with the states of the nodes that it owns.
  std::optional<skipped_steps> report(auto const &ranks, auto const &layout) const {
    if (!scales()) return {};
    auto skipped = skipped_by_state(), all_scales = scales_by_state();
    if (shared_) return of(skipped, all_scales);
    for (std::size_t i = 0; i < skipped.size(); ++i)
      if (!layout.owns(static_cast<node>(i))) skipped[i] = all_scales[i] = 0;
    ranks.all_reduce_sum(std::span<double>(skipped));
    ranks.all_reduce_sum(std::span<double>(all_scales));
    return of(skipped, all_scales);
  }

 private:
  static constexpr T smallest = T(0x1p-14), largest = T(0x1p24);

  struct state {
    T scale;
    std::uint32_t absorbed = 0, overflowed = 0;  // gradients since the last step
    std::uint64_t good = 0;                      // steps in a row
    std::uint64_t skipped = 0;
    std::uint64_t before = 0;  // skipped before the optimizer began anew
  };

  /// Servers have states that nothing changes.
  std::span<state const> of_nodes() const { return std::span(states_).first(nodes_); }

  /// Of each state, exact below 2^53.
  std::vector<double> skipped_by_state() const {
    std::vector<double> counts;
    for (state const &one : of_nodes()) counts.push_back(static_cast<double>(one.skipped));
    return counts;
  }
  std::vector<double> scales_by_state() const {
    std::vector<double> all;
    for (state const &one : of_nodes()) all.push_back(static_cast<double>(one.scale));
    return all;
  }

  static skipped_steps of(std::vector<double> const &skipped, std::vector<double> const &scales) {
    skipped_steps all;
    all.smallest_scale = *std::ranges::min_element(scales);
    all.largest_scale = *std::ranges::max_element(scales);
    for (std::size_t i = 0; i < skipped.size(); ++i) {
      auto const own = static_cast<std::uint64_t>(skipped[i]);
      all.steps += own;
      all.nodes += own > 0;
      if (own > all.most) all.worst = static_cast<node>(i);
      all.most = std::max(all.most, own);
    }
    return all;
  }

  state &at(node i) { return states_[shared_ ? 0 : i]; }
  state const &at(node i) const { return states_[shared_ ? 0 : i]; }

  void shrink(state &own, operation const &o) const {
    own.good = 0;
    if (own.scale <= smallest && size_.attacks(o.a)) return;
    if (own.scale <= smallest)
      throw diverged(training_place(o) +
                     ": the gradient overflows fp16 at every scale of the loss down to 2^-14; a "
                     "smaller rate or a warm-up may keep it smaller, and bf16 has room for it");
    own.scale /= T{2};
  }
  static void grow(state &own) {
    own.scale = std::min(own.scale * T{2}, largest);
    own.good = 0;
  }

  std::uint64_t interval_ = 0;
  bool shared_;
  std::size_t nodes_;  // 1 where they share one state
  fleet_size size_;
  std::vector<state> states_;  // (nodes + servers), or none
};

}  // namespace gossip
