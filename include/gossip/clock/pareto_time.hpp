// Training times with a heavy tail: P(T > t) falls as a power of t, so some trainings take very
// long.
#pragma once

#include <chrono>
#include <cstdint>

#include <gossip/clock/clock.hpp>
#include <gossip/core/described.hpp>

namespace gossip {

/// Pareto times (type I) of exactly this mean: P(T > t) = (scale / t)^shape for t >= scale, with
/// scale = mean (shape - 1) / shape the least time. The variance, scale^2 shape / ((shape - 1)^2
/// (shape - 2)), is infinite for shapes up to 2, and the mean of few draws then far from the mean.
struct pareto_time {
  virtual_time mean = std::chrono::milliseconds(10);
  double shape = 3;  ///< the tail index, often alpha; above 1, or there would be no mean

  /// The draws with their constants computed; one Philox block a draw.
  struct draws {
    double scale;  // nanoseconds
    double power;  // 1 / shape

    virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const;
  };

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Throws input_error unless the mean is at least 1 ns and the shape above 1 and at most 10^9.
  draws prepare() const;

  static constexpr char const *name = "pareto";
  static constexpr char const *meaning = "Pareto distribution, with a heavy tail";
  static constexpr auto members() {
    return member_list{
        described("mean", &pareto_time::mean, "mean duration of a training", {.least = 1}),
        described("shape", &pareto_time::shape,
                  "tail index; the variance is infinite for values up to 2",
                  {.least = 1, .most = 1e9, .above_least = true})};
  }
};

static_assert(compute_model<pareto_time>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/pareto_time.ipp>
#endif
