// Losses of a sequential model: a type behind its last layer, with one function of one sample.
//
//   struct mean_square {
//     static constexpr std::size_t targets(std::size_t outputs);   numbers behind the features of a
//                                       sample that are its target; 0: its label is
//     static constexpr std::size_t classes(std::size_t outputs);   classes that outputs choose
//                                       from; 0: none, so that there is no accuracy
//     template <class T>
//     static constexpr T of_sample(loss_sample<T> const &);        the loss; sets the gradient
//   };
//
// A model without one has softmax_cross_entropy.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <gossip/core/elementary.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/softmax.hpp>

namespace gossip {

/// One sample of a chunk as a loss sees it.
template <class T>
class loss_sample {
 public:
  constexpr loss_sample(T const *outputs, T const *targets, std::size_t label, T *gradient,
                        std::size_t count, std::size_t lanes)
      : outputs_(outputs),
        targets_(targets),
        gradient_(gradient),
        label_(label),
        count_(count),
        lanes_(lanes) {}

  constexpr std::size_t outputs() const { return count_; }
  constexpr T output(std::size_t c) const { return outputs_[c * lanes_]; }
  constexpr T target(std::size_t c) const { return targets_[c * lanes_]; }
  constexpr std::size_t label() const { return label_; }
  /// The derivative of the sample's loss by output c.
  constexpr void set_gradient(std::size_t c, T value) const { gradient_[c * lanes_] = value; }

 private:
  T const *outputs_, *targets_;
  T *gradient_;
  std::size_t label_, count_, lanes_;
};

/// A loss of a sequential model.
template <class L>
concept loss = requires(loss_sample<double> const &sample, std::size_t outputs) {
  { L::targets(outputs) } -> std::same_as<std::size_t>;
  { L::classes(outputs) } -> std::same_as<std::size_t>;
  { L::of_sample(sample) } -> std::same_as<double>;
};

/// Softmax with cross-entropy: -log of the share of exp(output) that the label's output has.
struct softmax_cross_entropy {
  static constexpr std::size_t targets(std::size_t) { return 0; }
  static constexpr std::size_t classes(std::size_t outputs) { return outputs; }

  template <class T>
  static constexpr T of_sample(loss_sample<T> const &sample) {
    T largest = sample.output(0), sum{0};
    for (std::size_t c = 1; c < sample.outputs(); ++c)
      largest = sample.output(c) > largest ? sample.output(c) : largest;
    auto const part = [&](std::size_t c) {
      T const below = sample.output(c) - largest;
      return op::exponential(below < T{op::lowest_exponent} ? T{op::lowest_exponent} : below);
    };
    for (std::size_t c = 0; c < sample.outputs(); ++c) sum += part(c);
    for (std::size_t c = 0; c < sample.outputs(); ++c)
      sample.set_gradient(c, part(c) / sum - (c == sample.label() ? T{1} : T{0}));
    return static_cast<T>(elementary::log(static_cast<double>(sum))) + largest -
           sample.output(sample.label());
  }
};
static_assert(loss<softmax_cross_entropy>);

/// The mean over outputs of (output - target)^2, PyTorch's MSELoss: a sample ends with as many
/// targets as the model has outputs (data/regression.hpp).
struct mean_square {
  static constexpr std::size_t targets(std::size_t outputs) { return outputs; }
  static constexpr std::size_t classes(std::size_t) { return 0; }

  template <class T>
  static constexpr T of_sample(loss_sample<T> const &sample) {
    T const share = T{1} / static_cast<T>(sample.outputs());
    T sum{0};
    for (std::size_t c = 0; c < sample.outputs(); ++c) {
      T const away = sample.output(c) - sample.target(c);
      sum += away * away;
      sample.set_gradient(c, T{2} * share * away);
    }
    return share * sum;
  }
};
static_assert(loss<mean_square>);

/// The mean over outputs of the logistic loss, PyTorch's BCEWithLogitsLoss: one output is positive
/// for label 1 and negative for label 0; of several, that of the label is positive.
struct logistic {
  static constexpr std::size_t targets(std::size_t) { return 0; }
  static constexpr std::size_t classes(std::size_t outputs) { return outputs == 1 ? 2 : outputs; }

  template <class T>
  static constexpr T of_sample(loss_sample<T> const &sample) {
    T const share = T{1} / static_cast<T>(sample.outputs());
    T sum{0};
    for (std::size_t c = 0; c < sample.outputs(); ++c) {
      bool const wanted = sample.outputs() == 1 ? sample.label() == 1 : sample.label() == c;
      T const z = sample.output(c), size = z < T{0} ? -z : z;
      T const e = op::exponential(size > T{-op::lowest_exponent} ? T{op::lowest_exponent} : -size);
      T const chance = (z < T{0} ? e : T{1}) / (T{1} + e);
      sum += static_cast<T>(elementary::log(1.0 + static_cast<double>(e))) +
             ((z < T{0}) == wanted ? size : T{0});
      sample.set_gradient(c, share * (chance - (wanted ? T{1} : T{0})));
    }
    return share * sum;
  }
};
static_assert(loss<logistic>);

namespace detail {

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

/// Whether the one output of each sample is above 0: class 1.
template <class T>
struct choose_side {
  strided<T const> outputs;
  strided<std::uint16_t> choice;  // (lanes)

  constexpr void operator()(std::size_t j, std::size_t, std::size_t lane) const {
    choice.at(j)[lane] = outputs.at(j)[lane] > T{0} ? 1 : 0;
  }
};

}  // namespace detail

}  // namespace gossip
