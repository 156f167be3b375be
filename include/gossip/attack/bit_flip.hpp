// Attackers that send the negative of their models. S. P. Karimireddy, L. He, M. Jaggi, "Learning
// from history for Byzantine robust optimization", ICML 2021, section 6, for models.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// x_b <- -x_b
struct bit_flip {
  static constexpr std::size_t rows = 0;

  void disturb(auto &plan, std::vector<node> const &attackers, std::vector<node> const &) const {
    for (node const b : attackers) plan.apply(op::linear<1>{}, b, {model_row, model_row}, {-1.0});
  }
  static void check() {}

  static constexpr char const *name = "bit_flip";
  static constexpr char const *meaning = "attackers send the negatives of their models";
  static constexpr member_list<> members() { return {}; }
};
static_assert(attack_model<bit_flip>);

}  // namespace gossip::attack
