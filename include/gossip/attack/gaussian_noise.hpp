// Attackers that add normal noise to their models, or send noise alone. P. Blanchard, E. M. El
// Mhamdi, R. Guerraoui, J. Stainer, "Machine learning with adversaries: Byzantine tolerant gradient
// descent", NIPS 2017, section 5, for models.
#pragma once

#include <cmath>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/normal_noise.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// x_b <- kept x_b + deviation z_b with independent standard normal z_b, new in every round. With
/// nothing kept it is a random model.
struct gaussian_noise {
  double deviation = 1.0;
  double kept = 1.0;

  static constexpr std::size_t rows = 0;

  void disturb(auto &plan, std::vector<node> const &attackers, std::vector<node> const &) const {
    for (node const b : attackers)
      plan.apply(op::normal_noise{}, b, {model_row}, {kept, deviation, plan.random(b)});
  }
  void check() const {
    if (!(deviation >= 0))
      throw input_error("gaussian_noise: deviation", "0 or more", detail::shortest(deviation));
    if (!std::isfinite(kept))
      throw input_error("gaussian_noise: kept", "a number", detail::shortest(kept));
    if (deviation == 0 && kept == 1)
      throw input_error("gaussian_noise: deviation",
                        "above 0 where all of the attacker's model is kept", "0");
  }

  static constexpr char const *name = "gaussian_noise";
  static constexpr char const *meaning =
      "Blanchard et al. 2017: attackers send normal noise, alone or added to their models";
  static constexpr auto members() {
    return member_list{
        described("deviation", &gaussian_noise::deviation, "standard deviation of the noise"),
        described("kept", &gaussian_noise::kept,
                  "factor on the attacker's own model; 0: noise alone",
                  {.least = -1e6, .most = 1e6})};
  }
};
static_assert(attack_model<gaussian_noise>);

}  // namespace gossip::attack
