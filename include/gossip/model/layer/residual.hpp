// Residual blocks: He, Zhang, Ren, Sun, "Deep residual learning for image recognition", CVPR 2016.
#pragma once

#include <cstddef>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/element.hpp>

namespace gossip {

/// Layers one behind the other, as one of the ways through a residual block.
template <class... Layers>
struct branch {};

/// The sum of the body's and the shortcut's outputs for one input. A relu that follows is done in
/// the same pass.
template <class Body, class Shortcut = branch<>>
struct residual {};

/// The shortcut without parameters of He et al. (option A): every Stride-th row and column, new
/// channels are zero.
template <std::size_t Channels, std::size_t Stride>
struct subsample {
  template <tensor_shape In>
  struct on : without_parameters {
    static_assert(Channels >= In.channels && Stride > 0,
                  "gossip::subsample: channels can only be added, and the stride is at least 1. "
                  "See docs/policies/model.md");
    static constexpr tensor_shape out{Channels, (In.height + Stride - 1) / Stride,
                                      (In.width + Stride - 1) / Stride};

    /// The input feature of output feature f; In.size() for a new channel.
    static constexpr std::size_t source(std::size_t f) {
      std::size_t const c = f / out.plane(), y = f / out.width % out.height, x = f % out.width;
      return c < In.channels ? (c * In.height + y * Stride) * In.width + x * Stride : In.size();
    }

    template <class T>
    struct pick {
      strided<T const> in;
      strided<T> to;
      std::size_t lanes;

      constexpr void operator()(std::size_t j, std::size_t f, std::size_t lane) const {
        std::size_t const from = source(f);
        to.at(j)[f * lanes + lane] = from < In.size() ? in.at(j)[from * lanes + lane] : T{0};
      }
    };
    template <class T>
    struct put_back {
      strided<T const> out_gradient;
      strided<T> in_gradient;
      std::size_t lanes;

      constexpr void operator()(std::size_t j, std::size_t f, std::size_t lane) const {
        std::size_t const c = f / In.plane(), y = f / In.width % In.height, x = f % In.width;
        bool const seen = y % Stride == 0 && x % Stride == 0;
        std::size_t const from = (c * out.height + y / Stride) * out.width + x / Stride;
        in_gradient.at(j)[f * lanes + lane] = seen ? out_gradient.at(j)[from * lanes + lane] : T{0};
      }
    };

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.for_each(p.k, out.size(), p.lanes, pick<T>{p.in, p.out, p.lanes});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      if (p.in_gradient.data)
        worker.for_each(p.k, In.size(), p.lanes,
                        put_back<T>{p.out_gradient, p.in_gradient, p.lanes});
    }
  };
};

namespace detail {

/// out = in + second, or its positive part. The gradients of both inputs are one: that of the
/// output where there is no relu.
template <tensor_shape In, bool Rectifies>
struct sum : without_parameters {
  static constexpr tensor_shape out = In;

  template <class Worker, class T>
  static void forward(Worker &worker, layer_pass<T> const &p) {
    worker.for_each(p.k, In.channels, In.plane() * p.lanes,
                    op::add_two<T, Rectifies>{p.in, p.second, p.out, In.plane() * p.lanes});
  }

  template <class Worker, class T>
  static void backward(Worker &worker, layer_pass<T> const &p) {
    if constexpr (Rectifies)
      worker.for_each(
          p.k, In.channels, In.plane() * p.lanes,
          op::rectify_back<T>{
              {p.out.data, p.out.stride}, p.out_gradient, p.in_gradient, In.plane() * p.lanes});
  }
};

}  // namespace detail

}  // namespace gossip
