// Training times of machines that are slow for a while: each is normal or slow, and changes between
// two trainings at random, as the channel of E. N. Gilbert, "Capacity of a burst-noise channel",
// Bell System Technical Journal 39(5), 1960.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/two_state_chain.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// The times of another model, and factor times as long while a node is slow. The states of a node
/// are a Markov chain over its trainings in its stationary distribution, independent of other
/// nodes: slow_down / (slow_down + recover) of all trainings are slow, in spells of 1 / recover on
/// average.
template <class Compute = lognormal_time>
struct two_state_time {
  static_assert(compute_model<Compute>,
                "gossip::two_state_time: normal must have virtual_time duration(uint64_t seed, "
                "node i, uint64_t step) const. See docs/policies/clock.md");

  Compute normal{};
  double factor = 10;
  double slow_down = 0.01;  ///< probability that a normal node is slow in its next training
  double recover = 0.1;     ///< probability that a slow node is normal in its next training

  /// The draws with their constants computed; about four Philox blocks beside those of a normal
  /// time.
  struct draws {
    decltype(detail::prepared(Compute{})) normal;
    double factor;
    two_state_chain chain;

    virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
      virtual_time const time = normal.duration(seed, i, step);
      if (!chain.slow(seed, i, step)) return time;
      return std::max(virtual_time(1), whole_nanoseconds(static_cast<double>(time.count()) * factor,
                                                         "two_state_time: duration"));
    }
  };

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Throws input_error unless the factor is above 0 and at most 10^9, both probabilities from 0 to
  /// 1, and their sum from 10^-6 to 1.
  draws prepare() const {
    if (!(factor > 0.0 && factor <= 1e9))
      throw input_error("two_state_time: factor", "a number above 0 and at most 1000000000",
                        detail::shortest(factor));
    for (auto const &[what, p] : {std::pair{"slow_down", slow_down}, std::pair{"recover", recover}})
      if (!(p >= 0.0 && p <= 1.0))
        throw input_error(std::string("two_state_time: ") + what, "a number from 0 to 1",
                          detail::shortest(p));
    double const both = slow_down + recover;
    if (!(both >= 1e-6 && both <= 1.0))
      throw input_error("two_state_time: slow_down",
                        "a sum of both probabilities from 0.000001 to 1", detail::shortest(both));
    return {detail::prepared(normal), factor, {slow_down, recover}};
  }

  static constexpr char const *name = "two_state";
  static constexpr char const *meaning = "a node is normal or slow, a Markov chain with two states";
  static constexpr auto members() {
    return member_list{
        described("normal", &two_state_time::normal, "durations on a normal node"),
        described("factor", &two_state_time::factor,
                  "factor on the duration of a training on a slow node",
                  {.most = 1e9, .above_least = true}),
        described("slow_down", &two_state_time::slow_down,
                  "probability that a normal node is slow in its next training", {.most = 1}),
        described("recover", &two_state_time::recover,
                  "probability that a slow node is normal in its next training", {.most = 1})};
  }
};

static_assert(compute_model<two_state_time<>>);

}  // namespace gossip
