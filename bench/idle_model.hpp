// A model that costs nothing but its rows: what operations on rows are measured with.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <gossip/core/random.hpp>
#include <gossip/model/model.hpp>

namespace gossip::bench {

/// A model of so many parameters whose gradients are 0 and cost nothing, so that a round takes what
/// its operations on rows take.
template <std::size_t Parameters>
class idle_model {
 public:
  static constexpr std::size_t parameters = Parameters;
  static constexpr bool learns_from_samples = false;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 64;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t seed) const {
    keyed_random random(seed, purpose::user, 0, 0);
    for (T &x : row) x = static_cast<T>(random.normal());
    ++runs_;
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &, training_task<T, Source> const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      if (is_new(task.gradient.at(j))) std::fill_n(task.gradient.at(j), parameters, T{0});
      *task.loss.at(j) = 0;
    }
  }

 private:
  /// Whether a thread sees this room for a gradient for the first time in its run.
  static bool is_new(void const *room) {
    thread_local std::uint64_t run = 0;
    thread_local std::set<void const *> seen;
    if (std::exchange(run, runs_.load()) != runs_) seen.clear();
    return seen.insert(room).second;
  }
  static inline std::atomic<std::uint64_t> runs_ = 0;
};

}  // namespace gossip::bench
