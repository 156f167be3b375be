// The contract of an attack: what Byzantine nodes make of their models before they send them.
//
// An attack is a copyable aggregate of hyper-parameters with
//
//   static constexpr std::size_t rows = r;
//       rows of a node that it may write, exchange_row(0) to exchange_row(r - 1)
//   void disturb(auto &plan, std::vector<node> const &attackers,
//                std::vector<node> const &honest) const;
//       changes the models of the attackers, of whom and of the honest there is at least one each;
//       it may read those of all, at no cost
//   void check() const;
//       throws input_error where a member is not what it should be
//
// and, optional,
//
//   void check(std::size_t attackers, std::size_t honest) const;
//       throws input_error where attackers among so many honest nodes would send what they have, or
//       what no attack is
//   std::vector<std::string> remarks(std::size_t attackers, std::size_t honest) const;
//       sentences that are said before a run
//
// and, where each receiver is sent another model, the same by all attackers,
//
//   bool forges() const;
//       whether it is
//   void forge(auto &plan, std::vector<node> const &attackers, std::vector<node> const &honest,
//              mixing_matrix const &w, row_name to) const;
//       a row of every honest node becomes what attackers send to it, at no cost; of other rows
//       none changes
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

#include <gossip/core/copyable.hpp>
#include <gossip/core/node.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

template <class A>
concept attack_model = copyable<A> && requires(A const &attack) {
  { A::rows } -> std::convertible_to<std::size_t>;
  attack.check();
};

/// An attack that may send each receiver another model.
template <class A>
concept forging_attack = attack_model<A> && requires(A const &attack) {
  { attack.forges() } -> std::same_as<bool>;
};

namespace attack {

/// attack.check() and, where there are attackers, that of their number.
template <attack_model A>
void check_attack(A const &attack, std::size_t attackers, std::size_t honest) {
  attack.check();
  if constexpr (requires { attack.check(attackers, honest); })
    if (attackers > 0) attack.check(attackers, honest);
}

/// The remarks of an attack; none without attackers, or of one that makes none.
template <attack_model A>
std::vector<std::string> remarks_on_attack(A const &attack, std::size_t attackers,
                                           std::size_t honest) {
  if constexpr (requires { attack.remarks(attackers, honest); })
    if (attackers > 0) return attack.remarks(attackers, honest);
  return {};
}

/// A row of a node becomes the mean of the models of others.
void take_mean(auto &plan, node i, row_name row, std::vector<node> const &of) {
  std::vector<node_term> terms;
  for (node const j : of) terms.push_back({j, 1 / static_cast<double>(of.size())});
  plan.sum_to(i, row, terms, model_row);
}

}  // namespace attack

}  // namespace gossip
