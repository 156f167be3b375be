// A little is enough. M. Baruch, G. Baruch, Y. Goldberg, "A little is enough: circumventing
// defenses for distributed learning", NeurIPS 2019, Algorithm 3, for models.
#pragma once

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gossip/attack/attack.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/op/column.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip::attack {

/// x_b <- m - z s in every column, with m and s mean and standard deviation (over all of them, not
/// one less) of the honest models. A z of 0 is the paper's: n - b honest nodes, of whom
/// floor(n / 2 + 1) - b would have to be further out, have the share n - floor(n / 2 + 1) of
/// n - b within z deviations of a normal distribution.
struct little_is_enough {
  double deviations = 0;  ///< z

  static constexpr std::size_t rows = 2;

  /// z of b attackers among n nodes.
  static double usual_deviations(std::size_t n, std::size_t b) {
    double const within =
        static_cast<double>(n - (n / 2 + 1)) / static_cast<double>(n - b);  // of the honest
    double low = 0, high = 8;
    for (int turn = 0; turn < 60; ++turn) {
      double const middle = (low + high) / 2;
      (0.5 * std::erfc(-middle / std::sqrt(2.0)) < within ? low : high) = middle;
    }
    return low;
  }

  void disturb(auto &plan, std::vector<node> const &attackers,
               std::vector<node> const &honest) const {
    node const first = attackers[0];
    double const z = deviations_of(attackers.size(), honest.size());
    take_mean(plan, first, mean, honest);
    std::vector<node_term> terms;
    for (node const h : honest) {
      plan.apply(op::squared_difference{}, h, {square, model_row}, first, mean);
      terms.push_back({h, 1 / static_cast<double>(honest.size())});
    }
    plan.sum_to(first, square, terms, square);
    plan.apply(op::below_mean{}, first, {model_row, mean, square}, {z});
    for (node const b : attackers)
      if (b != first) plan.apply(op::linear<1>{}, b, {model_row}, first, model_row, {1.0});
  }
  void check() const {
    if (!(deviations >= 0))
      throw input_error("little_is_enough: deviations", "0 or more", detail::shortest(deviations));
  }
  void check(std::size_t attackers, std::size_t honest) const {
    if (!(deviations_of(attackers, honest) > 0))
      throw input_error("little_is_enough: deviations",
                        "above 0, since the paper's number for " + among(attackers, honest) +
                            " is 0 and they would send the mean of the honest",
                        "0");
  }
  std::vector<std::string> remarks(std::size_t attackers, std::size_t honest) const {
    std::ostringstream sentence;
    sentence.precision(4);
    sentence << "little_is_enough: z is " << deviations_of(attackers, honest) << ", for "
             << among(attackers, honest);
    return {sentence.str()};
  }

  static constexpr char const *name = "little_is_enough";
  static constexpr char const *meaning =
      "Baruch et al. 2019: attackers send the mean of the honest models minus z standard "
      "deviations";
  static constexpr auto members() {
    return member_list{
        described("deviations", &little_is_enough::deviations,
                  "z, a number of standard deviations; 0: z follows from the number of attackers")};
  }

 private:
  double deviations_of(std::size_t attackers, std::size_t honest) const {
    return deviations > 0 ? deviations : usual_deviations(attackers + honest, attackers);
  }
  static std::string among(std::size_t attackers, std::size_t honest) {
    return std::to_string(attackers) + (attackers == 1 ? " attacker" : " attackers") + " among " +
           std::to_string(attackers + honest) + " nodes";
  }

  static constexpr row_name mean = exchange_row(0), square = exchange_row(1);
};
static_assert(attack_model<little_is_enough>);

}  // namespace gossip::attack
