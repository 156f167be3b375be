// Sigmoid-weighted linear unit: x / (1 + e^-x). S. Elfwing, E. Uchibe, K. Doya, "Sigmoid-weighted
// linear units for neural network function approximation in reinforcement learning", Neural
// Networks 107 (2018).
#pragma once

#include <cstddef>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/silu.hpp>

namespace gossip {

struct silu {
  template <tensor_shape In>
  struct on : without_parameters {
    static constexpr tensor_shape out = In;

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      std::size_t const values = In.plane() * p.lanes;
      worker.for_each(p.k, In.channels, values, op::silu<T>{p.in, p.out, values});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      std::size_t const values = In.plane() * p.lanes;
      if (p.in_gradient.data)
        worker.for_each(p.k, In.channels, values,
                        op::silu_back<T>{p.in, p.out_gradient, p.in_gradient, values});
    }
  };
};

}  // namespace gossip
