// Dissensus. L. He, S. P. Karimireddy, M. Jaggi, "Byzantine-robust decentralized learning via
// self-centered clipping", arXiv 2202.01545 (2022), section 5.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// Honest node i receives x_i - scale sum_h w_ih (x_h - x_i) / sum_b w_ib from every attacker b,
/// where h are its honest neighbors: away from them. By weighted means and with a scale of 1 all
/// honest nodes that have an attacker near keep their models; beyond 1 they part.
struct dissensus {
  double scale = 1.0;

  static constexpr std::size_t rows = 0;

  static void disturb(auto &, std::vector<node> const &, std::vector<node> const &) {}
  static constexpr bool forges() { return true; }
  void forge(auto &plan, std::vector<node> const &attackers, std::vector<node> const &honest,
             mixing_matrix const &w, row_name to) const {
    std::vector<bool> attacks(plan.nodes(), false);
    for (node const b : attackers) attacks[b] = true;
    for (node const i : honest) {
      auto const [columns, weights] = w.row(i);
      double theirs = 0;
      for (std::size_t k = 0; k < columns.size(); ++k)
        if (attacks[columns[k]]) theirs += weights[k];
      plan.assign(i, to, {{1, model_row}});
      for (std::size_t k = 0; k < columns.size() && theirs > 0; ++k)
        if (columns[k] != i && !attacks[columns[k]])
          plan.apply(op::add_difference{}, i, {to, model_row}, columns[k], model_row,
                     {-scale * weights[k] / theirs, 1.0});
    }
  }
  void check() const {
    if (!(scale > 0))  // of 0 each receiver would hear its own model
      throw input_error("dissensus: scale", "above 0", detail::shortest(scale));
  }

  static constexpr char const *name = "dissensus";
  static constexpr char const *meaning =
      "He et al. 2022: attackers send each receiver a model that leads away from its honest "
      "neighbors";
  static constexpr auto members() {
    return member_list{described("scale", &dissensus::scale,
                                 "factor on the pull of the honest neighbors, which the attack "
                                 "reverses; above 1 nodes drift apart",
                                 {.above_least = true})};
  }
};
static_assert(attack_model<dissensus> && forging_attack<dissensus>);

}  // namespace gossip::attack
