// One axis of a convolution as its passes walk it: which targets, which taps, which sources.
#pragma once

#include <cstddef>

#include <gossip/op/convolution_shape.hpp>

namespace gossip::op {

/// Targets first + t * step, t < count, all of which draw on alike taps. Tap j < taps is the
/// kernel's row or column kernel_first + j * kernel_step; it meets source t * stride + shift + j *
/// direction, where there is such a source.
struct convolution_axis {
  std::size_t count, first, step;
  std::size_t taps, kernel_first, kernel_step;
  std::ptrdiff_t stride, shift, direction;

  constexpr std::ptrdiff_t source(std::size_t t, std::size_t j) const {
    return static_cast<std::ptrdiff_t>(t) * stride + shift +
           static_cast<std::ptrdiff_t>(j) * direction;
  }
};

/// Outputs draw on inputs.
constexpr convolution_axis forward_axis(convolution_shape s, std::size_t outputs) {
  return {outputs,
          0,
          1,
          s.kernel,
          0,
          1,
          static_cast<std::ptrdiff_t>(s.stride),
          -static_cast<std::ptrdiff_t>(s.padding),
          1};
}

/// Gradients of inputs draw on those of outputs. Inputs in * stride + residue - padding share taps.
constexpr convolution_axis backward_axis(convolution_shape s, std::size_t inputs,
                                         std::size_t residue) {
  std::size_t const first = (residue + s.padding * (s.stride - 1)) % s.stride;
  std::size_t const count = inputs > first ? (inputs - first + s.stride - 1) / s.stride : 0;
  std::size_t const taps = s.kernel > residue ? (s.kernel - residue + s.stride - 1) / s.stride : 0;
  auto const shift = static_cast<std::ptrdiff_t>((first + s.padding - residue) / s.stride);
  return {count, first, s.stride, taps, residue, s.stride, 1, shift, -1};
}

}  // namespace gossip::op
