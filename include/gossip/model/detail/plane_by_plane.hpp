// Two steps as one: a layer that works on each plane by itself takes the planes of a convolution as
// soon as they are there, and hands back its gradient of them just before they are wanted, so that
// they are still in the cache.
#pragma once

#include <cstddef>

#include <gossip/model/detail/wiring.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::detail {

/// A layer on `in` that does to every plane of it what `plane` does to one, and has no more than
/// plane_of below can give it: no parameters, and a byte to keep for each output, or none.
template <class Layer>
concept works_on_planes = requires {
  typename Layer::plane;
  requires Layer::in.channels == Layer::out.channels;
  requires Layer::parameters == 0 && statistics_of<Layer>() == 0 && kept_of<Layer>() == 0;
  requires Layer::saved == 0 || Layer::saved == Layer::out.size();
};

/// Whether a worker runs a layer that is a convolution filter by filter.
template <class Worker, class Layer>
constexpr bool runs_by_filters() {
  if constexpr (requires { Worker::template by_filters<Layer::shape>; })
    return Worker::template by_filters<Layer::shape>;
  else
    return false;
}

/// Plane c of what a layer does for node j; of its input it lies at `place`.
template <works_on_planes Layer, class T>
layer_pass<T> plane_of(layer_pass<T> p, std::size_t j, std::size_t c, std::size_t place) {
  std::size_t const in = place * Layer::in.plane() * p.lanes;
  std::size_t const out = c * Layer::out.plane() * p.lanes;
  auto const move = [j](auto &view, std::size_t offset) {
    if (view.data) view.data = view.at(j) + offset;
  };
  p.k = 1;
  move(p.in, in);
  move(p.out, out);
  move(p.saved, out);
  move(p.out_gradient, out);
  move(p.in_gradient, in);
  return p;
}

enum class direction { forward, backward };

/// The callback of a convolution for a few filters of node j: forward when their outputs are there,
/// backward before it reads their gradient. InPlace: nobody else needs those planes, so the
/// convolution has them in the place of its first ones, again and again. The results of both steps
/// are rounded as those of each alone.
template <direction Way, bool InPlace, class Layer, class Worker, class T>
struct on_planes {
  static constexpr bool in_place = InPlace;
  Worker &worker;
  layer_pass<T> pass;
  strided<T> planes;  // of the convolution: its outputs, or their gradient

  void operator()(std::size_t j, std::size_t first, std::size_t count) const {
    std::size_t const size = Layer::in.plane() * pass.lanes;
    for (std::size_t c = 0; c < count; ++c) {
      std::size_t const place = InPlace ? c : first + c;
      auto const plane = plane_of<Layer>(pass, j, first + c, place);
      strided<T> const between{planes.at(j) + place * size, 0};
      if constexpr (Way == direction::forward) {
        round_values(worker, 1, between, size);
        Layer::plane::forward(worker, plane);
        round_values(worker, 1, plane.out, Layer::out.plane() * pass.lanes);
      } else {
        Layer::plane::backward(worker, plane);
        round_values(worker, 1, between, size);
      }
    }
  }
};

}  // namespace gossip::detail
