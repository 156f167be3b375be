// MoTEF, momentum tracking with error feedback. R. Islamov, Y. Gao, S. U. Stich, "Towards faster
// decentralized stochastic optimization with communication compression", ICLR 2025, Algorithm 1.
#pragma once

#include <cstddef>

#include <gossip/codec/codec.hpp>
#include <gossip/codec/top_k.hpp>
#include <gossip/core/described.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/plan/exchange.hpp>
#include <gossip/plan/row_name.hpp>

namespace gossip {

/// Gradient tracking with momentum whose messages are compressed. With H and G what all know of
/// models and trackers, 0 at first, and C what a codec leaves of a row:
/// x <- x + share (W - I) H - rate V, H <- H + C(x - H), M <- momentum M + (1 - momentum) g(x),
/// V <- V + share (W - I) G + the change of M, G <- G + C(V - G), and at first M = V = g(x): the
/// mean of V is that of M. It leads to the common minimum, whatever the codec leaves out, at a
/// share and a rate that are small enough. Without momentum it is beer. For plain sgd; two encoded
/// messages and seven rows a node. Statistics of batch normalisation stay.
template <row_codec Codec = codec::top_k, weight_rule Weights = metropolis_hastings>
struct motef {
  Codec code{};
  double share = 0.05;
  double momentum = 0.9;
  Weights rule{};

  static constexpr std::size_t rows = 7;
  static constexpr row_name tracker = exchange_row(0), mean = exchange_row(1);  // V, M
  struct message_state {
    bool of_model = true;
  };

  void on_round(auto &plan, round_number k) const {
    plan.train_all({.into = scratch});
    if (k == 0) {
      plan.assign_all(tracker, {{1, scratch}});
      plan.assign_all(mean, {{1, scratch}});
    } else {
      double const own = 1 - momentum;
      plan.assign_all(tracker, {{1, tracker},
                                {share, trackers_heard},
                                {-share, tracker_known},
                                {own, scratch},
                                {-own, mean}});
      plan.assign_all(mean, {{momentum, mean}, {own, scratch}});
      tell_news(plan, plan.weights(0), code, tracker, {tracker_known, trackers_heard, scratch},
                message_state{.of_model = false});
    }
    plan.step_all({.gradient = tracker});
    plan.assign_all(model_row, {{1, model_row}, {share, models_heard}, {-share, model_known}});
    tell_news(plan, plan.weights(0), code, model_row, {model_known, models_heard, scratch},
              message_state{.of_model = true});
  }

  void on_message(auto &plan, node i, auto const &m) const {
    plan.add(i, m.state.of_model ? models_heard : trackers_heard,
             {{plan.weights(0).at(i, m.from), m}});
  }

  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(graph const &g) const { return rule.weights(g); }

  /// Throws input_error unless the codec can be used and the weights are one symmetric matrix that
  /// keeps the mean.
  void check(graph const &g) const {
    code.check();
    symmetric_weights("motef", g, rule);
  }

  static constexpr char const *name = "motef";
  static constexpr char const *meaning =
      "Islamov et al. 2025: gradient tracking with momentum and compressed messages";
  static constexpr auto members() {
    return member_list{
        described("codec", &motef::code, "codec of messages"),
        described("share", &motef::share,
                  "consensus step size: fraction of the mixing step that a node applies",
                  {.least = 0, .most = 1, .above_least = true}),
        described("momentum", &motef::momentum, "momentum of gradients",
                  {.most = 1, .below_most = true}),
        described("weights", &motef::rule, "mixing weights")};
  }

 private:
  // H, G, the sums of neighbors' by weights, and a gradient or what is sent.
  static constexpr row_name model_known = exchange_row(2), models_heard = exchange_row(3),
                            tracker_known = exchange_row(4), trackers_heard = exchange_row(5),
                            scratch = exchange_row(6);
};

static_assert(exchange<motef<>>);

}  // namespace gossip
