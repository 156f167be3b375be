// Training times with the jitter of real machines: log-normal, so never below zero.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/next_times.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// Log-normal times of exactly this mean and coefficient of variation: mean * exp(mu + sigma z),
/// z standard normal, sigma^2 = ln(1 + cv^2), mu = -sigma^2 / 2.
struct lognormal_time {
  virtual_time mean = std::chrono::milliseconds(10);
  double cv = 0.1;  // standard deviation / mean

  /// The draws with their constants computed; one Philox block a draw.
  struct draws {
    double median;  // nanoseconds
    double sigma;

    virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
      double const z = keyed_random(seed, purpose::compute_time, i, step).first_normal();
      return std::max(virtual_time(1), whole_nanoseconds(median * elementary::exp(sigma * z),
                                                         "lognormal_time: duration"));
    }
    /// Durations of the node's next trainings, from this step on; 0 where duration() throws.
    void durations(std::uint64_t seed, node i, std::uint64_t step, next_durations &times) const;
  };

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Throws input_error unless the mean is at least 1 ns and cv in [0, 1000].
  draws prepare() const;

  static constexpr char const *name = "lognormal";
  static constexpr char const *meaning = "log-normal distribution, as real machines have it";
  static constexpr auto members() {
    return member_list{
        described("mean", &lognormal_time::mean, "mean duration of a training", {.least = 1}),
        described("cv", &lognormal_time::cv, "coefficient of variation, standard deviation / mean",
                  {.most = 1000})};
  }
};

static_assert(compute_model<lognormal_time>);
static_assert(draws_side_by_side<lognormal_time::draws>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/lognormal_time.ipp>
#endif
