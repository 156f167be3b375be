// Loss and choices of a chunk of samples, one call a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/elementary.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/softmax.hpp>

namespace gossip::detail {

/// loss [+]= scale * the sum of the samples' losses, in order of the samples.
template <class T, class Workspace>
struct mean_loss {
  Workspace at;
  strided<std::byte> ws;
  strided<double> loss;
  std::size_t samples;
  T scale;
  bool accumulate;

  constexpr void operator()(std::size_t j, std::size_t, std::size_t) const {
    double sum = 0;
    for (std::size_t i = 0; i < samples; ++i)
      sum += elementary::log(static_cast<double>(at.loss_part(ws, 1).at(j)[i])) +
             static_cast<double>(at.loss_part(ws, 0).at(j)[i] - at.loss_part(ws, 2).at(j)[i]);
    double &to = loss.at(j)[0];
    to = (accumulate ? to : 0.0) + static_cast<double>(scale) * sum;
  }
};

/// correct [+]= samples whose class was chosen; 0 of models that choose none.
template <class Workspace, bool Chooses = true>
struct count_correct {
  Workspace at;
  strided<std::byte> ws;
  strided<std::uint32_t> correct;
  std::size_t samples;
  bool accumulate;

  constexpr void operator()(std::size_t j, std::size_t, std::size_t) const {
    std::uint32_t count = accumulate ? correct.at(j)[0] : 0;
    for (std::size_t i = 0; Chooses && i < samples; ++i)
      count += at.choices(ws).at(j)[i] == at.labels(ws).at(j)[i];
    correct.at(j)[0] = count;
  }
};

}  // namespace gossip::detail
