// The convolutions of one core: which kernel runs which shape, as measured.
#pragma once

#include <cstddef>

#include <gossip/backend/cpu/correlation.hpp>
#include <gossip/backend/cpu/direct_convolution.hpp>
#include <gossip/backend/cpu/outer_products.hpp>
#include <gossip/backend/cpu/tap_sums.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_pass.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::host {

/// in (c, h, w, lanes), weights (f, c, k, k), bias (f) or null -> out (f, h', w', lanes);
/// op::convolution_scratch<S> numbers a lane of scratch, here and below.
template <convolution_shape S, std::size_t Lanes, class T>
void convolve(T const *weights, T const *bias, T const *in, T *out, T *scratch) {
  if constexpr (op::is_direct<S>)
    direct_convolve<S, Lanes>(weights, bias, in, out);
  else
    correlation<op::forward_pass<S>, Lanes, T>{weights, bias, in, out, scratch}.run();
}

/// The gradient of the input: weights (f, c, k, k), out_gradient (f, h', w', lanes)
/// -> in_gradient (c, h, w, lanes)
template <convolution_shape S, std::size_t Lanes, class T>
void convolve_back(T const *weights, T const *out_gradient, T *in_gradient, T *scratch) {
  if constexpr (op::is_direct<S>)
    direct_convolve_back<S, Lanes>(weights, out_gradient, in_gradient);
  else
    correlation<op::backward_pass<S>, Lanes, T>{weights, nullptr, out_gradient, in_gradient,
                                                scratch}
        .run();
}

/// The gradient of the weights, added up over positions and lanes; added to what is there where
/// `accumulate`. in (c, h, w, lanes), out_gradient (f, h', w', lanes) -> (f, c, k, k)
template <convolution_shape S, std::size_t Lanes, class T>
void convolve_weights(T const *in, T const *out_gradient, T *weight_gradient, T *scratch,
                      bool accumulate) {
  if constexpr (op::is_direct<S>)
    direct_convolve_weights<S, Lanes>(in, out_gradient, weight_gradient, accumulate);
  else if constexpr (S.channels < op::many_channels)
    tap_sums<S, Lanes, T>{in, out_gradient, weight_gradient, scratch, accumulate}.run();
  else
    outer_products<S, Lanes, T>{in, out_gradient, weight_gradient, scratch, accumulate}.run();
}

}  // namespace gossip::host
