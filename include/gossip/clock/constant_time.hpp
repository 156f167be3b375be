// Every training takes the same time: the clock of closed forms.
#pragma once

#include <chrono>
#include <cstdint>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/whole_nanoseconds.hpp>
#include <gossip/core/described.hpp>

namespace gossip {

/// The mean, always.
struct constant_time {
  virtual_time mean = std::chrono::milliseconds(10);

  virtual_time duration(std::uint64_t, node, std::uint64_t) const { return mean; }

  /// Itself; throws input_error unless the mean is at least 1 ns.
  constant_time prepare() const {
    checked_mean("constant_time", mean);
    return *this;
  }

  static constexpr char const *name = "constant";
  static constexpr char const *meaning = "constant duration";
  static constexpr auto members() {
    return member_list{
        described("mean", &constant_time::mean, "mean duration of a training", {.least = 1})};
  }
};

static_assert(compute_model<constant_time>);

}  // namespace gossip
