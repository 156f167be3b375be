// BEER. H. Zhao, B. Li, Z. Li, P. Richtarik, Y. Chi, "BEER: fast O(1/T) rate for decentralized
// nonconvex optimization with communication compression", NeurIPS 2022, Algorithm 1.
#pragma once

#include <cstddef>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/exchange/motef.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// Gradient tracking whose messages are compressed: motef without momentum, so that the mean of
/// trackers is that of the gradients. It leads to the common minimum, whatever the codec leaves
/// out, at a share and a rate that are small enough. For plain sgd; two encoded messages and seven
/// rows a node. Statistics of batch normalisation stay.
template <row_codec Codec = codec::top_k, weight_rule Weights = metropolis_hastings>
struct beer {
  Codec code{};
  double share = 0.05;
  Weights rule{};

  using tracked = motef<Codec, Weights>;
  static constexpr std::size_t rows = tracked::rows;
  using message_state = typename tracked::message_state;

  void on_round(auto &plan, round_number k) const { method().on_round(plan, k); }
  void on_message(auto &plan, node i, auto const &m) const { method().on_message(plan, i, m); }
  static constexpr exchange_properties properties() { return tracked::properties(); }
  auto weights(graph const &g) const { return rule.weights(g); }
  void check(graph const &g) const { method().check(g); }

  static constexpr char const *name = "beer";
  static constexpr char const *meaning =
      "Zhao et al. 2022: gradient tracking with compressed messages";
  static constexpr auto members() {
    return member_list{
        described("codec", &beer::code, "codec of messages"),
        described("share", &beer::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.least = 0, .most = 1, .above_least = true}),
        described("weights", &beer::rule, "mixing weights")};
  }

 private:
  tracked method() const { return {code, share, 0, rule}; }
};

static_assert(exchange<beer<>>);

}  // namespace gossip
