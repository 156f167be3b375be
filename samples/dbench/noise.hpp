// Steps of noise alone: what averaging makes of it is linear and known in closed form.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/random.hpp>
#include <gossip/model/model.hpp>

namespace dbench {

/// A gradient is normal noise of standard deviation `size`; x begins far from 0, so that norms
/// differ by the noise along x, in proportion.
struct noise {
  double size = 1e-3;
  std::uint64_t quiet_from = ~std::uint64_t{0};  ///< steps without noise from here on
  std::uint64_t burst_every = 0;                 ///< steps; 0: never
  double burst = 4;                              ///< noise of such a step over that of others

  static constexpr std::size_t parameters = 16;
  static constexpr bool learns_from_samples = false;
  static constexpr double training_flops = 2.0 * parameters;
  static constexpr double evaluation_flops = 0;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    std::ranges::fill(row, T{1});
  }

  /// Whether this step, from 0, has more noise.
  bool bursts(std::uint64_t step) const {
    return burst_every > 0 && step % burst_every == burst_every - 1;
  }

  template <class Worker, class T, class Source>
  void gradient(Worker &, gossip::training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      std::uint64_t const step = task.steps[j];
      double const of_step = step >= quiet_from ? 0 : size * (bursts(step) ? burst : 1);
      gossip::keyed_random random(task.seed, gossip::purpose::synthetic_data, task.nodes[j], step);
      for (std::size_t c = 0; c < parameters; ++c)
        task.gradient.at(j)[c] = static_cast<T>(of_step * random.normal());
      *task.loss.at(j) = 0;
    }
  }
};

static_assert(gossip::model<noise>);

}  // namespace dbench
