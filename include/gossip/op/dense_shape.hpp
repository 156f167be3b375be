// The compile-time shape of a fully connected layer, and what its three products work on.
#pragma once

#include <cstddef>

#include <gossip/op/lanes.hpp>

namespace gossip {

/// Weights (units, inputs).
struct dense_shape {
  std::size_t units, inputs;

  constexpr std::size_t weights() const { return units * inputs; }
};

namespace op {

/// out (units, lanes) = weights x in + bias; in (inputs, lanes), or (lanes, inputs) if sample
/// major. scratch (inputs, lanes)
template <dense_shape S, class T>
struct dense {
  strided<T const> weights, bias, in;
  strided<T> out, scratch;
  std::size_t lanes;
  bool sample_major;
};

/// in_gradient (inputs, lanes) = weights^T x out_gradient (units, lanes)
template <dense_shape S, class T>
struct dense_back {
  strided<T const> weights, out_gradient;
  strided<T> in_gradient;
  std::size_t lanes;
};

/// weight_gradient (units, inputs) [+]= out_gradient x in^T
template <dense_shape S, class T>
struct dense_weights {
  strided<T const> in, out_gradient;
  strided<T> weight_gradient, scratch;
  std::size_t lanes;
  bool sample_major, accumulate;
};

}  // namespace op

}  // namespace gossip
