// One global merge. T. Zhu, T. Zhang, M. Wang, Z. Zhou, C. Wang, "On the surprising effectiveness
// of a single global merging in decentralized learning", ICLR 2026.
#pragma once

#include <cstdint>

#include <gossip/core/described.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// Another exchange in rounds, after `merged_after` of whose rounds all nodes take the mean of
/// their models, once: of the last round where that many are the run's. Optimizers stay as they
/// are.
template <exchange Base = d_psgd<>>
struct global_merge : Base {
  std::uint64_t merged_after = 1;  ///< rounds

  static constexpr std::size_t rows = exchange_rows<Base>;

  void on_round(auto &plan, round_number k) const {
    Base::on_round(plan, k);
    if (k + 1 == merged_after) plan.average_all();
  }
  /// Those of the base, but for means that need all nodes.
  constexpr exchange_properties properties() const {
    exchange_properties of_base = detail::said_properties<Base>(*this);
    of_base.tolerates_absence = false;
    of_base.communicates = true;
    of_base.rounds = {.period = merged_after, .act = "mean of all models", .once = true};
    return of_base;
  }

  static constexpr char const *name = "global_merge";
  static constexpr char const *meaning =
      "Zhu et al. 2026: D-PSGD in which all nodes take the mean of their models once";
  static constexpr auto members()
    requires describes_itself<Base>
  {
    return Base::members().followed_by(described("merged_after", &global_merge::merged_after,
                                                 "number of rounds until the mean of all models",
                                                 {.least = 1}));
  }
};

static_assert(exchange<global_merge<>>);

}  // namespace gossip
