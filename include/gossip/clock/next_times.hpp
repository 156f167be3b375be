// The times of each node's next trainings, drawn several at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <gossip/core/node.hpp>

namespace gossip {

/// The durations of 8 trainings of a node, one after another; 0 where duration() throws.
using next_durations = std::array<virtual_time, 8>;

/// Compute times that are drawn side by side, in vector instructions: durations() of a node's
/// trainings from a step on, each what duration() gives.
template <class Model>
concept draws_side_by_side =
    requires(Model const model, std::uint64_t number, node i, next_durations &times) {
      model.durations(number, i, number, times);
    };

/// Draws ahead what a node needs next: of 1,000 nodes planning takes two thirds to three quarters
/// of its time. Models that do not draw side by side are asked one by one.
template <class Model>
class next_times {
 public:
  next_times(Model const &model, std::size_t nodes) {
    if constexpr (draws_side_by_side<Model>)
      if (side_by_side(model)) drawn_.resize(nodes);
  }

  /// model.duration(seed, i, step). The steps of a node come in order, from 0 on.
  virtual_time operator()(Model const &model, std::uint64_t seed, node i, std::uint64_t step) {
    if constexpr (draws_side_by_side<Model>)
      if (!drawn_.empty()) {
        std::size_t const at = step % std::tuple_size_v<next_durations>;
        if (at == 0) model.durations(seed, i, step, drawn_[i]);
        if (virtual_time const time = drawn_[i][at]; time > virtual_time(0)) [[likely]]
          return time;
      }
    return model.duration(seed, i, step);
  }

 private:
  /// One that holds a model of any kind says of which.
  static bool side_by_side(Model const &model) {
    if constexpr (requires { model.side_by_side(); })
      return model.side_by_side();
    else
      return true;
  }

  std::vector<next_durations> drawn_;  // (nodes), or none
};

}  // namespace gossip
