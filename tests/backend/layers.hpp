// Layers of a backend against the functors that define them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <gossip/op/convolution.hpp>
#include <gossip/op/dense_shape.hpp>

#include "outcome.hpp"

namespace gossip::test {

template <class T, convolution_shape S, backend B>
void check_convolution(B const &backend) {
  constexpr std::size_t lanes = 16, row = S.weights() + S.filters;
  constexpr std::size_t in_size = S.channels * S.in_plane() * lanes;
  constexpr std::size_t out_size = S.filters * S.out_plane() * lanes;
  std::size_t const scratch =
      lanes * std::max({op::convolution_scratch<S>, op::column_scratch<S>, op::reorder_scratch<S>});
  CAPTURE(S.channels, S.height, S.width, S.filters, S.kernel, S.stride, S.padding, sizeof(T));
  auto const in = random_numbers<T>(layer_nodes * in_size, 2),
             weights = random_numbers<T>(layer_nodes * row, 3);
  auto const gradient = random_numbers<T>(layer_nodes * out_size, 4);
  auto const empty = [](std::size_t count) {
    return std::vector<T>(count, std::numeric_limits<T>::quiet_NaN());
  };
  compare_with_serial(
      backend,
      operation_arrays<T>{{in, weights}, empty(layer_nodes * out_size), layer_nodes * scratch},
      S.channels * S.taps() + 1, [&](auto &worker, auto from, T *out, T *aside) {
        T const *const w = from[1];
        worker.convolve(layer_nodes, op::convolve<S, T>{{w, row},
                                                        {w + S.weights(), row},
                                                        {from[0], in_size},
                                                        {out, out_size},
                                                        {aside, scratch},
                                                        lanes});
      });
  compare_with_serial(
      backend,
      operation_arrays<T>{{gradient, weights}, empty(layer_nodes * in_size), layer_nodes * scratch},
      S.filters * S.taps(), [&](auto &worker, auto from, T *out, T *aside) {
        worker.convolve_back(
            layer_nodes,
            op::convolve_back<S, T>{
                {from[1], row}, {from[0], out_size}, {out, in_size}, {aside, scratch}, lanes});
      });
  for (bool const accumulate : {false, true})
    compare_with_serial(
        backend,
        operation_arrays<T>{{in, gradient},
                            accumulate ? random_numbers<T>(layer_nodes * S.weights(), 5)
                                       : empty(layer_nodes * S.weights()),
                            layer_nodes * scratch},
        S.out_plane() * lanes + 1, [&](auto &worker, auto from, T *out, T *aside) {
          worker.convolve_weights(layer_nodes, op::convolve_weights<S, T>{{from[0], in_size},
                                                                          {from[1], out_size},
                                                                          {out, S.weights()},
                                                                          {aside, scratch},
                                                                          lanes,
                                                                          accumulate});
        });
}

template <class T, dense_shape S, backend B>
void check_dense(B const &backend) {
  constexpr std::size_t lanes = 32, row = S.weights() + S.units;
  constexpr std::size_t in_size = S.inputs * lanes, out_size = S.units * lanes;
  CAPTURE(S.units, S.inputs, sizeof(T));
  auto const in = random_numbers<T>(layer_nodes * in_size, 2),
             weights = random_numbers<T>(layer_nodes * row, 3);
  auto const gradient = random_numbers<T>(layer_nodes * out_size, 4);
  for (bool const sample_major : {false, true}) {
    compare_with_serial(
        backend,
        operation_arrays<T>{
            {in, weights}, std::vector<T>(layer_nodes * out_size), layer_nodes * in_size},
        S.inputs + 1, [&](auto &worker, auto from, T *out, T *aside) {
          T const *const w = from[1];
          worker.dense(layer_nodes, op::dense<S, T>{{w, row},
                                                    {w + S.weights(), row},
                                                    {from[0], in_size},
                                                    {out, out_size},
                                                    {aside, in_size},
                                                    lanes,
                                                    sample_major});
        });
    for (bool const accumulate : {false, true})
      compare_with_serial(backend,
                          operation_arrays<T>{{in, gradient},
                                              random_numbers<T>(layer_nodes * S.weights(), 5),
                                              layer_nodes * in_size},
                          lanes + 1, [&](auto &worker, auto from, T *out, T *aside) {
                            worker.dense_weights(layer_nodes,
                                                 op::dense_weights<S, T>{{from[0], in_size},
                                                                         {from[1], out_size},
                                                                         {out, S.weights()},
                                                                         {aside, in_size},
                                                                         lanes,
                                                                         sample_major,
                                                                         accumulate});
                          });
  }
  compare_with_serial(
      backend, operation_arrays<T>{{gradient, weights}, std::vector<T>(layer_nodes * in_size)},
      S.units, [&](auto &worker, auto from, T *out, T *) {
        worker.dense_back(
            layer_nodes,
            op::dense_back<S, T>{{from[1], row}, {from[0], out_size}, {out, in_size}, lanes});
      });
}

template <backend B>
void check_layers(B const &backend) {
  check_convolution<double, convolution_shape{2, 6, 7, 3, 3}>(backend);
  check_convolution<double, convolution_shape{3, 7, 5, 4, 3, 2, 1}>(backend);
  check_convolution<double, convolution_shape{3, 4, 5, 7, 1}>(backend);
  check_convolution<double, convolution_shape{3, 6, 4, 2, 1, 2}>(backend);
  check_convolution<float, convolution_shape{16, 5, 6, 32, 3, 1, 1}>(backend);
  check_dense<float, dense_shape{10, 96}>(backend);
  check_dense<double, dense_shape{33, 17}>(backend);
}

}  // namespace gossip::test
