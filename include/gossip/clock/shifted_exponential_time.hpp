// Training times of a machine that is held up at random: a least time and an exponential rest.
// K. Lee et al., "Speeding up distributed machine learning using codes", IEEE Transactions on
// Information Theory 64(3), 2018, section II: P(T <= t) = 1 - exp(-rate (t - shift)) for t >=
// shift.
#pragma once

#include <chrono>
#include <cstdint>

#include <gossip/clock/clock.hpp>
#include <gossip/core/described.hpp>

namespace gossip {

/// Shifted exponential times of exactly this mean: shift - (mean - shift) ln u, u uniform in (0,
/// 1]. Rate 1 / (mean - shift), standard deviation mean - shift. A shift of 0: exponential times.
struct shifted_exponential_time {
  virtual_time mean = std::chrono::milliseconds(10);
  virtual_time shift = std::chrono::milliseconds(8);  ///< the least time

  /// The draws with their constants computed; one Philox block a draw.
  struct draws {
    double shift;  // nanoseconds
    double scale;  // nanoseconds, 1 / rate

    virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const;
  };

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Throws input_error unless the mean is at least 1 ns and the shift from 0 to the mean.
  draws prepare() const;

  static constexpr char const *name = "shifted_exponential";
  static constexpr char const *meaning =
      "shifted exponential distribution: a minimum and an exponential rest";
  static constexpr auto members() {
    return member_list{
        described("mean", &shifted_exponential_time::mean, "mean duration of a training",
                  {.least = 1}),
        described("shift", &shifted_exponential_time::shift, "minimum duration, at most the mean")};
  }
};

static_assert(compute_model<shifted_exponential_time>);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/shifted_exponential_time.ipp>
#endif
