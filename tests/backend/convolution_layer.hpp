// The arrays of a convolution, and what kernels make of them against the functors that define them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/core/random.hpp>
#include <gossip/op/convolution.hpp>
#include <gossip/op/convolution_by_gemm.hpp>
#include <gossip/op/convolution_reorders.hpp>

namespace gossip::test {

inline constexpr std::size_t layer_nodes = 2;

template <class T>
std::vector<T> random_numbers(std::size_t count, std::uint64_t draw) {
  keyed_random random(draw, purpose::user, 0, count);
  std::vector<T> numbers(count);
  for (T &x : numbers) x = static_cast<T>(random.normal());
  return numbers;
}

template <class T>
std::vector<T> absolute(std::vector<T> numbers) {
  for (T &x : numbers) x = std::abs(x);
  return numbers;
}

/// All arrays of a convolution layer of two nodes, forward and back.
template <convolution_shape S, class T>
struct layer {
  std::size_t lanes;
  std::vector<T> weights, bias, in, out_gradient;    // given
  std::vector<T> out, in_gradient, weight_gradient;  // computed
  std::vector<T> scratch;

  explicit layer(std::size_t lanes_)
      : lanes(lanes_),
        weights(random_numbers<T>(layer_nodes * S.weights(), 1)),
        bias(random_numbers<T>(layer_nodes * S.filters, 2)),
        in(random_numbers<T>(layer_nodes * in_size(), 3)),
        out_gradient(random_numbers<T>(layer_nodes * out_size(), 4)),
        out(out_gradient.size(), nan),
        in_gradient(in.size(), nan),
        weight_gradient(random_numbers<T>(weights.size(), 5)),
        scratch(layer_nodes * scratch_size(), nan) {}

  /// The same sums with all terms positive: what rounding errors are relative to.
  layer magnitudes() const {
    layer sizes(lanes);
    for (auto member :
         {&layer::weights, &layer::bias, &layer::in, &layer::out_gradient, &layer::weight_gradient})
      sizes.*member = absolute(this->*member);
    return sizes;
  }

  template <class Worker>
  void run(bool accumulate) {
    Worker const worker;
    if (!accumulate) weight_gradient.assign(weight_gradient.size(), nan);
    worker.convolve(layer_nodes, op::convolve<S, T>{{weights.data(), S.weights()},
                                                    bias_view(),
                                                    {in.data(), in_size()},
                                                    {out.data(), out_size()},
                                                    {scratch.data(), scratch_size()},
                                                    lanes});
    worker.convolve_back(layer_nodes, op::convolve_back<S, T>{{weights.data(), S.weights()},
                                                              {out_gradient.data(), out_size()},
                                                              {in_gradient.data(), in_size()},
                                                              {scratch.data(), scratch_size()},
                                                              lanes});
    worker.convolve_weights(layer_nodes,
                            op::convolve_weights<S, T>{{in.data(), in_size()},
                                                       {out_gradient.data(), out_size()},
                                                       {weight_gradient.data(), S.weights()},
                                                       {scratch.data(), scratch_size()},
                                                       lanes,
                                                       accumulate});
  }

  strided<T const> bias_view() const {
    if (bias.empty()) return {};
    return {bias.data(), S.filters};
  }
  std::size_t in_size() const { return S.channels * S.in_plane() * lanes; }
  std::size_t out_size() const { return S.filters * S.out_plane() * lanes; }
  std::size_t scratch_size() const {
    return lanes *
           std::max({op::convolution_scratch<S>, op::column_scratch<S>, op::reorder_scratch<S>});
  }
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
};

/// A sum of so many products is off by at most one ulp of their magnitude a term, in either order.
template <class T>
double worst_error(std::vector<T> const &got, std::vector<T> const &expected,
                   std::vector<T> const &magnitude, std::size_t terms) {
  double worst = 0.0;
  double const bound =
      static_cast<double>(terms + 1) * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const error = std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i]));
    double const share = error / (bound * static_cast<double>(magnitude[i]));
    worst = std::isnan(share) && !(error == 0.0) ? INFINITY : std::max(worst, share);
    if (std::isinf(worst)) break;
  }
  return worst;  // at most 1 where all is well
}

}  // namespace gossip::test
