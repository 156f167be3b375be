// Attackers that all send the model of one honest node. S. P. Karimireddy, L. He, M. Jaggi,
// "Byzantine-robust learning on heterogeneous datasets via bucketing", ICLR 2022, section 3.2, for
// models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// x_b <- x_h, the duplicated model of honest node h: where data differ, one node's share weighs as
/// much as those of all attackers together. The paper's h, that of the largest variance, is left to
/// the user.
struct mimic {
  std::uint32_t victim = 0;  ///< h, counted from 0 among the honest nodes

  static constexpr std::size_t rows = 0;

  void disturb(auto &plan, std::vector<node> const &attackers,
               std::vector<node> const &honest) const {
    node const h = honest[victim];
    for (node const b : attackers) plan.apply(op::linear<1>{}, b, {model_row}, h, model_row, {1.0});
  }
  static void check() {}
  void check(std::size_t, std::size_t honest) const {
    if (victim >= honest)
      throw input_error("mimic: victim", "below " + std::to_string(honest) + ", the honest nodes",
                        std::to_string(victim));
  }

  static constexpr char const *name = "mimic";
  static constexpr char const *meaning =
      "Karimireddy et al. 2022: all attackers send the model of one honest node";
  static constexpr auto members() {
    return member_list{described(
        "victim", &mimic::victim,
        "number of the honest node whose model attackers send, counted among honest nodes")};
  }
};
static_assert(attack_model<mimic>);

}  // namespace gossip::attack
