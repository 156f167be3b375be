// Inner-product manipulation. C. Xie, O. Koyejo, I. Gupta, "Fall of empires: breaking
// Byzantine-tolerant SGD by inner product manipulation", UAI 2019, section 4, for models.
#pragma once

#include <cstddef>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// x_b <- -scale m with m the mean of the honest models.
struct inner_product {
  double scale = 0.1;

  static constexpr std::size_t rows = 1;

  void disturb(auto &plan, std::vector<node> const &attackers,
               std::vector<node> const &honest) const {
    for (node const b : attackers) {
      take_mean(plan, b, mean, honest);
      plan.apply(op::linear<1>{}, b, {model_row, mean}, {-scale});
    }
  }
  void check() const {
    if (!(scale >= 0))
      throw input_error("inner_product: scale", "0 or more", detail::shortest(scale));
  }

  static constexpr char const *name = "inner_product";
  static constexpr char const *meaning =
      "Xie et al. 2019: attackers send the mean of the honest models times -scale";
  static constexpr auto members() {
    return member_list{
        described("scale", &inner_product::scale, "factor on the mean of the honest models")};
  }

 private:
  static constexpr row_name mean = exchange_row(0);
};
static_assert(attack_model<inner_product>);

}  // namespace gossip::attack
