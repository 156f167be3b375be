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

}  // namespace gossip
