// Two-dimensional convolution (cross-correlation), stride 1, no padding, with bias.
#pragma once

#include <gossip/model/layer.hpp>
#include <gossip/op/convolution.hpp>
#include <gossip/op/element.hpp>

namespace gossip {

/// `Filters` filters of Kernel x Kernel. Row: weights (filters, channels, kernel, kernel), then
/// biases (filters), PyTorch's order.
template <std::size_t Filters, std::size_t Kernel>
struct conv2d {
  static_assert(Filters > 0 && Kernel > 0, "gossip::conv2d: filters and kernel must be positive.");

  template <tensor_shape In>
  struct on {
    static_assert(In.height >= Kernel && In.width >= Kernel,
                  "gossip::conv2d: the kernel must not be larger than its input. See "
                  "docs/policies/model.md");
    static constexpr convolution_shape shape{In.channels, In.height, In.width, Filters, Kernel};
    static constexpr tensor_shape out{Filters, shape.out_height(), shape.out_width()};
    static constexpr std::size_t parameters = shape.weights() + Filters;
    static constexpr std::size_t saved = 0;
    static constexpr double forward_flops =
        2.0 * static_cast<double>(shape.weights() * shape.out_plane());
    static constexpr double backward_flops(bool first) { return (first ? 1 : 2) * forward_flops; }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &random) {
      draw_uniform(row, shape.channels * shape.taps(), random);
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.convolve(p.k, op::convolve<shape, T>{p.parameters, p.parameters + shape.weights(),
                                                  p.in, p.out, p.lanes});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      worker.convolve_weights(
          p.k, op::convolve_weights<shape, T>{p.in, p.out_gradient, p.parameter_gradient, p.lanes,
                                              p.accumulate});
      worker.for_each(p.k, Filters, 1,
                      op::sum_row<T>{p.out_gradient, p.parameter_gradient + shape.weights(),
                                     shape.out_plane() * p.lanes, p.accumulate});
      if (p.in_gradient.data)
        worker.convolve_back(
            p.k, op::convolve_back<shape, T>{p.parameters, p.out_gradient, p.in_gradient, p.lanes});
    }
  };
};

}  // namespace gossip
