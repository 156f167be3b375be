// Gamma-distributed training times: exponential for shape 1, Erlang for whole shapes, near a normal
// distribution for large ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

/// Gamma times of exactly this mean: scale mean / shape, standard deviation mean / sqrt(shape).
/// Each training rejects and draws again within its own stream, as keyed_random::gamma does.
struct gamma_time {
  virtual_time mean = std::chrono::milliseconds(10);
  double shape = 100;

  /// The draws with their constants computed; usually two Philox blocks a draw.
  struct draws {
    double shape;
    double scale;  // nanoseconds

    virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
      double const drawn = keyed_random(seed, purpose::compute_time, i, step).gamma(shape);
      return std::max(virtual_time(1), whole_nanoseconds(scale * drawn, "gamma_time: duration"));
    }
  };

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return prepare().duration(seed, i, step);
  }

  /// Throws input_error unless the mean is at least 1 ns and the shape from 0.001 to 10^9.
  draws prepare() const {
    double const nanoseconds = checked_mean("gamma_time", mean);
    if (!(shape >= 1e-3 && shape <= 1e9))
      throw input_error("gamma_time: shape", "a number from 0.001 to 1000000000",
                        detail::shortest(shape));
    return {.shape = shape, .scale = nanoseconds / shape};
  }

  static constexpr char const *name = "gamma";
  static constexpr char const *meaning = "gamma distribution; shape 1 is the exponential one";
  static constexpr auto members() {
    return member_list{
        described("mean", &gamma_time::mean, "mean duration of a training", {.least = 1}),
        described("shape", &gamma_time::shape,
                  "shape of the distribution, (mean / standard deviation)^2",
                  {.least = 1e-3, .most = 1e9})};
  }
};

static_assert(compute_model<gamma_time>);

}  // namespace gossip
