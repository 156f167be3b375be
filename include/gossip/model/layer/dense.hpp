// Fully connected layer with bias: out = weights x in + bias.
#pragma once

#include <array>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/dense_shape.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// `Units` outputs. Row: weights (units, inputs), then biases (units), PyTorch's order.
template <std::size_t Units, start Start = start::torch>
struct dense {
  static_assert(Units > 0, "gossip::dense: units must be positive.");

  /// `SampleMajor`: the input is (lanes, features), as a batch comes from a dataset.
  template <tensor_shape In, bool SampleMajor = false>
  struct on {
    static constexpr bool sample_major = SampleMajor;
    static constexpr dense_shape shape{Units, In.size()};
    static constexpr tensor_shape out{Units, 1, 1};
    static constexpr std::size_t parameters = shape.weights() + Units;
    static constexpr std::array<tensor_matrix, 2> tensors{{{Units, shape.inputs}, {Units, 1}}};
    static constexpr std::size_t saved = 0;
    static constexpr std::size_t scratch = shape.inputs + lane_group;
    static constexpr double forward_flops = 2.0 * static_cast<double>(shape.weights());
    static constexpr double backward_flops(bool first) { return (first ? 1 : 2) * forward_flops; }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &random) {
      draw_start(Start, row, shape.weights(), shape.inputs, Units, random);
    }

    template <class T>
    static op::dense<shape, T> product(layer_pass<T> const &p) {
      return {p.parameters, p.parameters + shape.weights(), p.in, p.out, p.scratch, p.lanes,
              SampleMajor};
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.dense(p.k, product(p));
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      if (p.in_gradient.data)  // first: the forward pass may have left the weights in the cache
        worker.dense_back(
            p.k, op::dense_back<shape, T>{p.parameters, p.out_gradient, p.in_gradient, p.lanes});
      worker.dense_weights(
          p.k, op::dense_weights<shape, T>{p.in, p.out_gradient, p.parameter_gradient, p.scratch,
                                           p.lanes, SampleMajor, p.accumulate});
      worker.for_each(p.k, Units, 1,
                      op::sum_row<T>{p.out_gradient, p.parameter_gradient + shape.weights(),
                                     p.lanes, p.accumulate});
    }
  };
};

}  // namespace gossip
