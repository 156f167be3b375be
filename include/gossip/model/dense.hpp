// Fully connected layer with bias: out = weights x in + bias.
#pragma once

#include <gossip/model/layer.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/gemm_shape.hpp>

namespace gossip {

/// `Units` outputs. Row: weights (units, inputs), then biases (units), PyTorch's order.
template <std::size_t Units>
struct dense {
  static_assert(Units > 0, "gossip::dense: units must be positive.");

  /// `SampleMajor`: the input is (lanes, features), as a batch comes from a dataset.
  template <tensor_shape In, bool SampleMajor = false>
  struct on {
    static constexpr std::size_t inputs = In.size();
    static constexpr tensor_shape out{Units, 1, 1};
    static constexpr std::size_t parameters = (inputs + 1) * Units;
    static constexpr std::size_t saved = 0;
    static constexpr double forward_flops = 2.0 * static_cast<double>(inputs * Units);
    static constexpr double backward_flops(bool first) { return (first ? 1 : 2) * forward_flops; }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &random) {
      draw_uniform(row, inputs, random);
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.for_each(p.k, Units, p.lanes,
                      op::fill_bias<T>{p.parameters + Units * inputs, p.out, p.lanes});
      worker.template gemm<T>(p.k, {false, SampleMajor, Units, p.lanes, inputs},
                              {p.parameters, inputs}, {p.in, in_stride(p)}, T{1}, {p.out, p.lanes});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      worker.template gemm<T>(p.k, {false, !SampleMajor, Units, inputs, p.lanes},
                              {p.out_gradient, p.lanes}, {p.in, in_stride(p)},
                              p.accumulate ? T{1} : T{0}, {p.parameter_gradient, inputs});
      worker.for_each(p.k, Units, 1,
                      op::sum_row<T>{p.out_gradient, p.parameter_gradient + Units * inputs, p.lanes,
                                     p.accumulate});
      if (p.in_gradient.data)
        worker.template gemm<T>(p.k, {true, false, inputs, p.lanes, Units}, {p.parameters, inputs},
                                {p.out_gradient, p.lanes}, T{0}, {p.in_gradient, p.lanes});
    }

   private:
    template <class T>
    static constexpr std::size_t in_stride(layer_pass<T> const &p) {
      return SampleMajor ? inputs : p.lanes;
    }
  };
};

}  // namespace gossip
