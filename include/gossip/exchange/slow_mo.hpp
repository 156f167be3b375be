// SlowMo. J. Wang, V. Tantia, N. Ballas, M. Rabbat, "SlowMo: improving communication-efficient
// distributed SGD with slow momentum", ICLR 2020, Algorithm 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Another exchange in rounds, the base, such as d_psgd, or none for local SGD. After every
/// `local_steps` of its rounds all take the mean x' of their models, then with x the model as it
/// was that many rounds before u <- slow_momentum u + (x - x') / rate, x <- x - scale rate u; the
/// average alone where the rate is 0. Without slow momentum, at a scale of 1, it is the base with
/// averages. Two rows a node beside those of the base.
template <exchange Base = none>
struct slow_mo : Base {
  std::uint64_t local_steps = 12;  ///< rounds of the base from one average to the next
  double slow_momentum = 0.7;
  double scale = 1.0;  ///< of the slow step; alpha in the paper
  momentum_at_average momentum = momentum_at_average::keep;

  static constexpr std::size_t rows = exchange_rows<Base> + 2;
  static constexpr row_name start = exchange_row(exchange_rows<Base>),
                            slow = exchange_row(exchange_rows<Base> + 1);

  void on_round(auto &plan, round_number k) const {
    if (k % local_steps == 0) plan.assign_all(start, {{1, model_row}});
    Base::on_round(plan, k);
    if ((k + 1) % local_steps != 0) return;
    average_models(plan, momentum);
    double const rate = plan.rate();
    if (rate == 0) return;
    plan.assign_all(slow, {{slow_momentum, slow}, {1 / rate, start}, {-1 / rate, model_row}});
    plan.assign_all(model_row, {{1, start}, {-scale * rate, slow}});
  }
  /// Those of the base, but for means that need all nodes.
  constexpr exchange_properties properties() const {
    exchange_properties of_base = detail::said_properties<Base>(*this);
    of_base.tolerates_absence = false;
    of_base.communicates = true;
    of_base.rounds = {.period = local_steps, .act = "slow step"};
    return of_base;
  }

  static constexpr char const *name = "slow_mo";
  static constexpr char const *meaning =
      "Wang et al. 2020: local steps, then an average and a step by the slow momentum";
  static constexpr auto members()
    requires describes_itself<Base>
  {
    return Base::members().followed_by(
        described("local_steps", &slow_mo::local_steps,
                  "number of local steps between two averages", {.least = 1}),
        described("slow_momentum", &slow_mo::slow_momentum, "slow momentum",
                  {.most = 1, .below_most = true}),
        described("scale", &slow_mo::scale, "learning rate of the slow step", {.most = 1e6}),
        described(
            "momentum", &slow_mo::momentum,
            "rows of the optimizers, such as momentum, when models are averaged: kept, averaged "
            "or reset"));
  }
};

static_assert(exchange<slow_mo<>>);

}  // namespace gossip
