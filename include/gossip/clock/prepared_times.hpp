// Compute times of any kind behind two calls by pointer, so that a planner is compiled once for
// all.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <gossip/clock/next_times.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/member_names.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

namespace detail {

template <class Compute>
auto prepared(Compute const &compute) {
  static_assert(
      !mentions_prepare<Compute> || requires { compute.prepare(); },
      "gossip::virtual_clock: the compute times have a prepare that cannot be called as "
      "auto prepare() const. See docs/policies/clock.md");
  if constexpr (requires { compute.prepare(); })
    return compute.prepare();
  else
    return compute;
}

}  // namespace detail

/// A compute-time model of any kind, prepared. A draw, or one of eight side by side, costs a call
/// by pointer.
class prepared_times {
 public:
  /// Throws input_error for hyper-parameters that cannot be used.
  template <class Compute>
  static prepared_times of(Compute const &compute) {
    using type = decltype(detail::prepared(compute));
    static_assert(draws_side_by_side<type> ||
                      !(detail::mentions_durations<type> || detail::mentions_durations<Compute>),
                  "gossip::virtual_clock: the compute times have durations, and what they prepare "
                  "cannot be called as void durations(std::uint64_t seed, node i, std::uint64_t "
                  "step, next_durations &) const. See docs/policies/clock.md");
    if constexpr (std::same_as<type, prepared_times>)
      return detail::prepared(compute);
    else
      return prepared_times(std::make_shared<type const>(detail::prepared(compute)));
  }

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return duration_(model_.get(), seed, i, step);
  }
  /// True where the model draws several side by side, as durations() then does.
  bool side_by_side() const { return durations_ != nullptr; }
  void durations(std::uint64_t seed, node i, std::uint64_t step, next_durations &times) const {
    durations_(model_.get(), seed, i, step, times);
  }

 private:
  template <class Model>
  explicit prepared_times(std::shared_ptr<Model const> model)
      : model_(std::move(model)), duration_(&draw<Model>) {
    if constexpr (draws_side_by_side<Model>) durations_ = &draw_several<Model>;
  }

  // Functions with a name: nvcc takes a lambda here for one of an incomplete class.
  template <class Model>
  static virtual_time draw(void const *m, std::uint64_t seed, node i, std::uint64_t step) {
    virtual_time const time = static_cast<Model const *>(m)->duration(seed, i, step);
    if (time < virtual_time(1)) [[unlikely]]
      refuse(time, i, step);
    return time;
  }
  template <class Model>
  static void draw_several(void const *m, std::uint64_t seed, node i, std::uint64_t step,
                           next_durations &times) {
    static_cast<Model const *>(m)->durations(seed, i, step, times);
  }

  [[noreturn, gnu::noinline]] static void refuse(virtual_time got, node i, std::uint64_t step) {
    throw input_error(
        "clock: compute time of node " + std::to_string(i) + ", step " + std::to_string(step),
        "at least 1 ns", std::to_string(got.count()) + " ns");
  }

  std::shared_ptr<void const> model_;
  virtual_time (*duration_)(void const *model, std::uint64_t seed, node i, std::uint64_t step);
  void (*durations_)(void const *model, std::uint64_t seed, node i, std::uint64_t step,
                     next_durations &times) = nullptr;
};

}  // namespace gossip
