// Buffered gossip whose averages keep the variance of tensors. Y. Tian, Z. Al-Ars, M. Kitsak,
// P. Hofstee, "Vanishing variance problem in fully decentralized neural-network systems", arXiv
// 2404.04616 (2024).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/core/node.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/op/tensor_variance.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// The variance that tensors have after an average: that before it, the mean of those of received
/// models, or keep times the former plus 1 - keep times the latter.
enum class followed_variance { self, others, conservative };

template <>
struct value_names<followed_variance> {
  static constexpr std::array<char const *, 3> names{"self", "others", "conservative"};
};

/// Averages of models that differ have less variance than each of them, and learn slowly: after
/// an average every tensor becomes (x - m) ((t + e) / (v + e))^(1/2) + m with its mean m, its
/// variance v without bias, the followed variance t and e = `smoothing`. Tensors of one number and
/// statistics of batch normalisation stay. Two rows a node.
struct variance_corrected_gossip : buffered_gossip {
  followed_variance followed = followed_variance::others;
  double smoothing = 1e-4;

  static constexpr std::size_t rows = buffered_gossip::rows + 1;
  static constexpr row_name variances = exchange_row(buffered_gossip::rows);

  void on_message(auto &plan, node i, auto const &m) const {
    double const before = plan.state(i).heard == 0 ? 0 : 1;
    if (followed != followed_variance::self)
      plan.apply(op::add_tensor_variances{}, i, {variances}, m, {before, 1});
    buffered_gossip::on_message(plan, i, m);
  }

  void on_timer(auto &plan, node i, std::uint32_t tag) const {
    if (tag == trains) return wake(plan, i);
    if (!has_heard_enough(plan, i)) return;
    double const others = 1 / static_cast<double>(plan.state(i).heard);
    if (followed == followed_variance::self)
      plan.apply(op::add_tensor_variances{}, i, {variances, model_row}, {0, 1});
    if (followed == followed_variance::conservative)
      plan.apply(op::add_tensor_variances{}, i, {variances, model_row},
                 {(1 - keep) * others, keep});
    average(plan, i);
    plan.apply(op::scale_tensor_variances{}, i, {model_row, variances},
               {followed == followed_variance::others ? others : 1, smoothing});
  }

  static constexpr char const *name = "variance_corrected_gossip";
  static constexpr char const *meaning =
      "Tian et al. 2024: buffered_gossip with averages that keep the variance of each tensor";
  static constexpr auto members() {
    return buffered_gossip::members().followed_by(
        described("followed", &variance_corrected_gossip::followed,
                  "target variance of an average: self, the node's own model before it; others, "
                  "the received models; conservative, both"),
        described("smoothing", &variance_corrected_gossip::smoothing,
                  "constant added to both variances"));
  }
};

static_assert(exchange<variance_corrected_gossip>);

}  // namespace gossip
