// The contract of a layer: a stateless type that is given a shape and becomes a function of views.
//
// A layer is written as a struct with a member template `on<Shape>` that knows its input:
//
//   static constexpr tensor_shape out;            the shape of one sample after the layer
//   static constexpr std::size_t parameters;      numbers it takes in the row of a node
//   static constexpr std::size_t saved;           bytes a lane it keeps from forward for backward
//   static constexpr std::size_t scratch;         optional: numbers a lane it may write and forget
//   static constexpr double forward_flops;        a sample; multiplications and additions
//   static constexpr double backward_flops(bool first);   the first layer needs no input gradient
//   initialise(std::span<T>, keyed_random &)
//   forward(worker, layer_pass<T>)                writes pass.out
//   backward(worker, layer_pass<T>)               writes pass.parameter_gradient (added to what is
//                                                 there if pass.accumulate) and pass.in_gradient,
//                                                 the latter unless its data is null
//
// Values of a layer are (features, lanes): feature f of the sample in lane l at f * lanes + l.
// Lanes beyond the samples hold finite numbers and zero gradients. A pass is over k nodes at once;
// every view is strided by node.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/random.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip {

/// The shape of one sample between two layers.
struct tensor_shape {
  std::size_t channels, height, width;

  constexpr std::size_t size() const { return channels * height * width; }
  constexpr bool operator==(tensor_shape const &) const = default;
};

/// One pass of a layer over k nodes times one chunk of samples.
template <class T>
struct layer_pass {
  std::size_t k;
  std::size_t lanes;
  strided<T const> parameters;
  strided<T const> in;            // (features, lanes); of a first dense layer (lanes, features)
  strided<T> out;                 // (features, lanes), forward only
  strided<std::uint8_t> saved;    // (saved, lanes)
  strided<T> scratch;             // (scratch, lanes)
  strided<T const> out_gradient;  // backward only, as the rest
  strided<T> in_gradient;         // null data: not wanted
  strided<T> parameter_gradient;
  bool accumulate;
};

/// Uniform in +-1/sqrt(inputs), weights and biases alike: what PyTorch draws for dense and
/// convolutional layers.
template <class T>
void draw_uniform(std::span<T> parameters, std::size_t inputs, keyed_random &random) {
  double const bound = 1.0 / std::sqrt(static_cast<double>(inputs));
  for (T &p : parameters) p = static_cast<T>((2.0 * random.uniform() - 1.0) * bound);
}

}  // namespace gossip
