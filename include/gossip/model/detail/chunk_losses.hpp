// Losses, gradients and chosen classes of a chunk of samples, as function objects of a worker's
// loops.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/core/elementary.hpp>
#include <gossip/model/losses.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::detail {

/// The losses of a chunk's samples and the gradient of their mean over a batch of 1 / batch_scale
/// samples, times the node's loss scale where there is one. One call works on up to Group lanes;
/// lanes beyond the samples get zeros. Losses are log(total) + largest - chosen.
template <class Loss, class T, std::size_t Group>
struct sample_losses {
  strided<T const> outputs;  // (outputs, lanes)
  strided<T const> targets;  // (targets, lanes)
  strided<std::uint16_t const> labels;
  strided<T> gradient;                // (outputs, lanes)
  strided<T> largest, total, chosen;  // (lanes)
  std::size_t count, lanes, samples;
  T batch_scale;
  T const *loss_scale;  // (k) or null

  constexpr void operator()(std::size_t j, std::size_t group, std::size_t) const {
    T const scale = loss_scale ? batch_scale * loss_scale[j] : batch_scale;
    std::size_t const first = group * Group, end = first + (lanes < Group ? lanes : Group);
    for (std::size_t l = first; l < end; ++l) {
      T *const to = gradient.at(j) + l;
      bool const used = l < samples;
      if (used) {
        largest.at(j)[l] = Loss::of_sample(loss_sample<T>(outputs.at(j) + l, targets.at(j) + l,
                                                          labels.at(j)[l], to, count, lanes));
        total.at(j)[l] = T{1};
        chosen.at(j)[l] = T{0};
      }
      for (std::size_t c = 0; c < count; ++c) to[c * lanes] = used ? scale * to[c * lanes] : T{0};
    }
  }
};

/// Class 1 for each sample whose one output is above 0, else class 0.
template <class T>
struct choose_side {
  strided<T const> outputs;
  strided<std::uint16_t> choice;  // (lanes)

  constexpr void operator()(std::size_t j, std::size_t, std::size_t lane) const {
    choice.at(j)[lane] = outputs.at(j)[lane] > T{0} ? 1 : 0;
  }
};

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

/// correct [+]= the number of samples whose class was chosen; 0 for a model that chooses none.
template <class Workspace, bool Chooses>
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
