// The verbs of a plan for two nodes that exchange rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/node.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/completion.hpp>
#include <gossip/plan/fragment.hpp>
#include <gossip/plan/refusals.hpp>
#include <gossip/plan/row_list.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// A part of plan_verbs. Given a fragment, a verb changes its columns, and all others of a row stay
/// as they are.
template <class Verbs>
class pair_verbs {
 public:
  /// Both nodes take the mean of their models, or of another row. Node i waits for the link, node j
  /// does not.
  [[gnu::always_inline]] void average(node i, node j, row_name row = model_row) {
    on_pair<op::mean_of_two>(i, j, row, 0.0, true);
  }
  void average(node i, node j, row_name row, fragment const &only) {
    on_pair<op::mean_of_two>(i, j, row, {}, only, true);
  }

  /// In events: the same by messages that leave now, or when another is over, and travel while node
  /// i goes on. Returns their end, which wait_until waits for.
  completion average_beside(node i, node j, completion const &after = {},
                            row_name row = model_row) {
    static_assert(!Verbs::in_rounds,
                  "gossip::plan: average_beside belongs to events; in rounds in_background lets "
                  "messages travel. See docs/policies/exchange.md");
    completion end = after;
    on_pair<op::mean_of_two>(i, j, row, 0.0, true, &end);
    return end;
  }

  /// Node i takes (1 - share) of its own model and share of node j's, which does not change; or of
  /// another row.
  void combine(node i, node j, double share, row_name row = model_row) {
    detail::require_finite("combine", i, share);
    on_pair<op::interpolation>(i, j, row, share, false);
  }
  void combine(node i, node j, double share, row_name row, fragment const &only) {
    detail::require_finite("combine", i, share);
    coefficient const given[] = {share};
    on_pair<op::interpolation>(i, j, row, given, only, false);
  }

 private:
  /// The messages of a pair, both ways or to node i alone, which waits for them, or `beside` gets
  /// their end, after what it says; false where one is not sent or does not arrive.
  [[gnu::always_inline]] bool meet(node i, node j, std::size_t bytes, bool both,
                                   completion *beside = nullptr) {
    Verbs::require_own_rows();
    char const *const verb = both ? "average" : "combine";
    self().require_node(verb, i);
    self().require_node(verb, j);
    if (i == j) self().refuse(i, "cannot exchange with itself");
    if constexpr (Verbs::in_rounds)
      if (!self().participants_.present(i, j)) return false;
    if (self().times_->untransferred(i, j, self().now_, beside)) return false;
    self().bytes_ += (both ? 2 : 1) * bytes;
    if (beside)
      *beside = self().times_->transfer_beside(i, j, bytes, self().now_, *beside);
    else
      self().times_->transfer(i, j, bytes, both);
    return !self().times_->losses().lost_between(i, j, both);
  }

  /// A function of the same row of two nodes.
  template <column_function F>
  [[gnu::always_inline]] void on_pair(node i, node j, row_name row, double given, bool both,
                                      completion *beside = nullptr) {
    std::uint8_t const slot = self().slot(row);
    if (!meet(i, j, self().bytes_of(row), both, beside)) return;
    static constexpr row_list models = accesses_of<F>(std::array<row_access, 2>{{{0}, {0, true}}});
    self().writer_.columns(
        i, j, self().template number_of<F>(),
        slot == 0 ? models : accesses_of<F>(std::array{row_access{slot}, row_access{slot, true}}),
        given);
  }
  template <column_function F>
  void on_pair(node i, node j, row_name row, std::span<coefficient const> given,
               fragment const &only, bool both) {
    detail::require_fragment(i, only, self().columns());
    std::uint8_t const slot = self().slot(row);
    if (!meet(i, j, self().bytes_of(only), both)) return;
    self().writer_.columns(i, j, self().template number_of<F>(),
                           accesses_of<F>(std::array{row_access{slot}, row_access{slot, true}}),
                           given, only);
  }

  Verbs &self() { return static_cast<Verbs &>(*this); }
};

}  // namespace gossip
