// Rectified linear unit: max(x, 0), gradient 0 at 0.
#pragma once

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/element.hpp>

namespace gossip {

struct relu {
  template <tensor_shape In>
  struct on : without_parameters {
    static constexpr tensor_shape out = In;

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      std::size_t const values = In.plane() * p.lanes;
      worker.for_each(p.k, In.channels, values, op::rectify<T>{p.in, p.out, values});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      std::size_t const values = In.plane() * p.lanes;
      if (p.in_gradient.data)
        worker.for_each(p.k, In.channels, values,
                        op::rectify_back<T>{p.in, p.out_gradient, p.in_gradient, values});
    }
  };
};

}  // namespace gossip
