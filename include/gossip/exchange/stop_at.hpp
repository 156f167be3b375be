// Any exchange in rounds, until what the run measures is good enough.
#pragma once

#include <cstdint>
#include <limits>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/plan/decision.hpp>
#include <gossip/plan/exchange.hpp>

namespace gossip {

/// A question every so many rounds; the run ends when the answer is `bound` or more, or for
/// test_loss and consensus_distance, `bound` or less. An observer of the run must measure it.
template <exchange Exchange>
struct stop_at : Exchange {
  measured what = measured::accuracy;
  double bound = 1.0;
  std::uint64_t every = 1;  ///< rounds

  void on_round(auto &plan, round_number k) const {
    Exchange::on_round(plan, k);
    if ((k + 1) % every == 0) plan.ask(what);
  }
  void on_answer(auto &plan, double answer) const {
    bool const rises = what == measured::accuracy || what == measured::averaged_model_accuracy;
    if (rises ? answer >= bound : answer <= bound) plan.stop();
  }
  void check(graph const &g) const {
    if (every == 0) throw input_error("stop_at: every must be at least 1 round, got 0");
    if constexpr (requires(Exchange const &x) { x.check(g); }) Exchange::check(g);
  }

  static constexpr char const *name = "stop_at";
  static constexpr char const *meaning =
      "an exchange in rounds that stops when a measure reaches a bound";
  static constexpr auto members()
    requires describes_itself<Exchange>
  {
    return Exchange::members().followed_by(
        described("what", &stop_at::what, "measure"),
        described("bound", &stop_at::bound, "bound of the measure",
                  {.least = std::numeric_limits<double>::lowest()}),
        described("every", &stop_at::every, "number of rounds between two measurements",
                  {.least = 1}));
  }
};

}  // namespace gossip
