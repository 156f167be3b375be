// Max pooling over windows that do not overlap.
#pragma once

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/pool.hpp>

namespace gossip {

/// The maximum of each Window x Window square; incomplete windows at the far edges are dropped.
template <std::size_t Window>
struct max_pool {
  static_assert(Window > 0 && Window <= 15, "gossip::max_pool: the window must be 1 to 15.");

  template <tensor_shape In>
  struct on : without_parameters {
    static_assert(In.height >= Window && In.width >= Window,
                  "gossip::max_pool: the window must not be larger than its input. See "
                  "docs/policies/model.md");
    static constexpr tensor_shape in = In;
    using plane = on<tensor_shape{1, In.height, In.width}>;
    static constexpr op::pool_shape shape{In.channels, In.height, In.width, Window};
    static constexpr tensor_shape out{In.channels, shape.out_height(), shape.out_width()};
    static constexpr std::size_t saved = out.size();

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.max_pool(p.k, op::max_pool<shape, T>{p.in, p.out, p.saved, p.lanes});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      if (!p.in_gradient.data) return;
      worker.for_each(p.k, out.size(), p.lanes,
                      op::max_pool_back<shape, T>{p.out_gradient, p.saved, p.in_gradient, p.lanes});
      if constexpr (In.height % Window != 0 || In.width % Window != 0)
        worker.for_each(p.k, In.size(), p.lanes,
                        op::clear_uncovered<shape, T>{p.in_gradient, p.lanes});
    }
  };
};

}  // namespace gossip
