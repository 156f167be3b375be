// Average pooling, over windows that do not overlap and over whole planes.
#pragma once

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/average.hpp>

namespace gossip {

namespace detail {

template <op::average_shape Shape>
struct averages : without_parameters {
  static_assert(Shape.height >= Shape.window_height && Shape.width >= Shape.window_width,
                "gossip::avg_pool: the window must not be larger than its input. See "
                "docs/policies/model.md");
  static constexpr tensor_shape out{Shape.channels, Shape.out_height(), Shape.out_width()};

  template <class Worker, class T>
  static void forward(Worker &worker, layer_pass<T> const &p) {
    worker.for_each(p.k, Shape.out_size(), p.lanes, op::average<Shape, T>{p.in, p.out, p.lanes});
  }

  template <class Worker, class T>
  static void backward(Worker &worker, layer_pass<T> const &p) {
    if (p.in_gradient.data)
      worker.for_each(p.k, Shape.in_size(), p.lanes,
                      op::average_back<Shape, T>{p.out_gradient, p.in_gradient, p.lanes});
  }
};

}  // namespace detail

/// The mean of each Window x Window square; incomplete windows at the far edges are dropped.
template <std::size_t Window>
struct avg_pool {
  static_assert(Window > 0, "gossip::avg_pool: the window must be positive.");

  template <tensor_shape In>
  using on = detail::averages<op::average_shape{In.channels, In.height, In.width, Window, Window}>;
};

/// The mean of each channel's plane, whatever its height and width.
struct global_avg_pool {
  template <tensor_shape In>
  using on =
      detail::averages<op::average_shape{In.channels, In.height, In.width, In.height, In.width}>;
};

}  // namespace gossip
