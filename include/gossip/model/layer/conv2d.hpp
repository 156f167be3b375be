// Two-dimensional convolution (cross-correlation).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/convolution.hpp>
#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_by_gemm.hpp>
#include <gossip/op/convolution_reorders.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// The options of a convolution beside its size.
struct convolution_options {
  std::size_t stride = 1;   ///< from one output to the next, in rows and columns
  std::size_t padding = 0;  ///< rows and columns of zeros around every plane; less than the kernel
  bool bias = true;         ///< false: no biases, as where batch normalisation follows
  start begin = start::torch;
};

/// `Filters` filters of Kernel x Kernel. Row: weights (filters, channels, kernel, kernel), then
/// biases (filters) if there are any, PyTorch's order.
template <std::size_t Filters, std::size_t Kernel,
          convolution_options Options = convolution_options{}>
struct conv2d {
  static_assert(Filters > 0 && Kernel > 0, "gossip::conv2d: filters and kernel must be positive.");
  static_assert(Options.stride > 0,
                "gossip::conv2d: the stride must be positive. See docs/policies/model.md");
  static_assert(Options.padding < Kernel,
                "gossip::conv2d: the padding must be less than the kernel, or outputs would depend "
                "on zeros alone. See docs/policies/model.md");

  template <tensor_shape In>
  struct on {
    static_assert(In.height + 2 * Options.padding >= Kernel &&
                      In.width + 2 * Options.padding >= Kernel,
                  "gossip::conv2d: the kernel must not be larger than its input with padding. See "
                  "docs/policies/model.md");
    static constexpr convolution_shape shape{In.channels, In.height,      In.width,       Filters,
                                             Kernel,      Options.stride, Options.padding};
    static constexpr tensor_shape out{Filters, shape.out_height(), shape.out_width()};
    static constexpr std::size_t parameters = shape.weights() + (Options.bias ? Filters : 0);
    static constexpr tensor_matrix kernels{Filters, shape.channels *shape.taps()};
    static constexpr std::array<tensor_matrix, Options.bias ? 2 : 1> tensors = [] {
      if constexpr (Options.bias)
        return std::array{kernels, tensor_matrix{Filters, 1}};
      else
        return std::array{kernels};
    }();
    static constexpr std::size_t saved = 0;
    static constexpr std::size_t scratch = op::convolution_scratch<shape>;
    static constexpr std::size_t columns = op::column_scratch<shape>;
    static constexpr std::size_t reorders =
        op::is_worth_reordering<shape> ? std::max(scratch, op::reorder_scratch<shape>) : scratch;
    static constexpr double forward_flops =
        2.0 * static_cast<double>(shape.weights() * shape.out_plane());
    static constexpr double backward_flops(bool first) { return (first ? 1 : 2) * forward_flops; }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &random) {
      draw_start(Options.begin, row, shape.weights(), shape.channels * shape.taps(),
                 Filters * shape.taps(), random);
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.convolve(p.k, forward_op(p));
    }
    /// then(j, first, count): the outputs of these filters are there. On workers by_filters.
    template <class Worker, class T, class Then>
    static void forward_by_filters(Worker &worker, layer_pass<T> const &p, Then then) {
      worker.convolve(p.k, forward_op(p), then);
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      worker.convolve_weights(p.k, weights_op(p));
      add_biases(worker, p.k, p.out_gradient, p.parameter_gradient, Filters, p);
      back(worker, p);
    }
    /// before(j, first, count): the gradient of the outputs of these filters is wanted.
    template <class Worker, class T, class Before>
    static void backward_by_filters(Worker &worker, layer_pass<T> const &p, Before before) {
      worker.convolve_weights(p.k, weights_op(p),
                              with_biases<Worker, T, Before>{worker, p, before});
      back(worker, p);
    }

   private:
    template <class T>
    static op::convolve<shape, T> forward_op(layer_pass<T> const &p) {
      strided<T const> bias;
      if (Options.bias) bias = p.parameters + shape.weights();
      return {p.parameters, bias, p.in, p.out, p.scratch, p.lanes};
    }
    template <class T>
    static op::convolve_weights<shape, T> weights_op(layer_pass<T> const &p) {
      return {p.in, p.out_gradient, p.parameter_gradient, p.scratch, p.lanes, p.accumulate};
    }
    /// The gradients of the biases of some filters, behind all weights.
    template <class Worker, class T>
    static void add_biases(Worker &worker, std::size_t k, strided<T const> out_gradient,
                           strided<T> gradient, std::size_t filters, layer_pass<T> const &p) {
      if constexpr (Options.bias)
        worker.for_each_row(k, filters,
                            op::sum_row<T>{out_gradient, gradient + shape.weights(),
                                           shape.out_plane() * p.lanes, p.accumulate});
    }
    /// Before the gradient of outputs is read, and while it is in the cache, that of the biases.
    template <class Worker, class T, class Before>
    struct with_biases {
      static constexpr bool in_place = Before::in_place;
      Worker &worker;
      layer_pass<T> const &p;
      Before const &before;

      void operator()(std::size_t j, std::size_t first, std::size_t count) const {
        before(j, first, count);
        std::size_t const planes = in_place ? 0 : first * shape.out_plane() * p.lanes;
        add_biases(worker, 1, {p.out_gradient.at(j) + planes, 0},
                   {p.parameter_gradient.at(j) + first, 0}, count, p);
      }
    };
    template <class Worker, class T>
    static void back(Worker &worker, layer_pass<T> const &p) {
      if (p.in_gradient.data)
        worker.convolve_back(p.k, op::convolve_back<shape, T>{p.parameters, p.out_gradient,
                                                              p.in_gradient, p.scratch, p.lanes});
    }
  };
};

}  // namespace gossip
