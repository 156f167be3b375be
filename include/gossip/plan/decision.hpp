// Decisions by what a run measures: an exchange asks for a number, and the plan goes on
// when it has been measured. Answers are logged; a plan that is given a log needs no values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>

namespace gossip {

/// The quantities that an exchange may ask for; an observer of the run measures them.
enum class measured : std::uint8_t {
  accuracy,                 ///< the mean over the evaluated nodes
  averaged_model_accuracy,  ///< of the mean model
  test_loss,                ///< the mean over evaluated nodes and samples
  consensus_distance,       ///< (1/n) sum_i |x_i - mean x|^2
};

template <>
struct value_names<measured> {
  static constexpr std::array<char const *, 4> names{"accuracy", "averaged_model_accuracy",
                                                     "test_loss", "consensus_distance"};
};

constexpr char const *name_of(measured what) {
  return value_names<measured>::names[static_cast<std::size_t>(what)];
}

template <class X, class Plan>
concept takes_answers = requires(X const &x, Plan &plan) { x.on_answer(plan, 0.0); };

}  // namespace gossip
