// (W + I) / 2 of another rule.
#pragma once

#include <gossip/core/described.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/weights.hpp>

namespace gossip {

/// The lazy form of a rule that gives one matrix: a node keeps at least half of its own model, and
/// a symmetric W has no eigenvalue below 0.
template <gives_weights Rule = metropolis_hastings>
struct lazy_weights {
  mixing_matrix weights(graph const &g) const { return lazy(Rule{}.weights(g)); }

  static constexpr char const *name = "lazy";
  static constexpr char const *meaning = "(W + I) / 2 for W of metropolis_hastings";
  static constexpr member_list<> members() { return {}; }
};

static_assert(weight_rule<lazy_weights<>>);

}  // namespace gossip
