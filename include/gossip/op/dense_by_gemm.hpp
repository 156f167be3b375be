// The products of a fully connected layer through a worker's matrix product.
#pragma once

#include <cstddef>

#include <gossip/op/dense_shape.hpp>
#include <gossip/op/element.hpp>
#include <gossip/op/gemm_shape.hpp>

namespace gossip::op {

template <class Worker, dense_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, dense<S, T> const &f) {
  worker.for_each(k, S.units, f.lanes, fill_bias<T>{f.bias, f.out, f.lanes});
  worker.template gemm<T>(k, {false, f.sample_major, S.units, f.lanes, S.inputs},
                          {f.weights, S.inputs}, {f.in, f.sample_major ? S.inputs : f.lanes}, T{1},
                          {f.out, f.lanes});
}

template <class Worker, dense_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, dense_back<S, T> const &f) {
  worker.template gemm<T>(k, {true, false, S.inputs, f.lanes, S.units}, {f.weights, S.inputs},
                          {f.out_gradient, f.lanes}, T{0}, {f.in_gradient, f.lanes});
}

template <class Worker, dense_shape S, class T>
void by_gemm(Worker const &worker, std::size_t k, dense_weights<S, T> const &f) {
  worker.template gemm<T>(k, {false, !f.sample_major, S.units, S.inputs, f.lanes},
                          {f.out_gradient, f.lanes}, {f.in, f.sample_major ? S.inputs : f.lanes},
                          f.accumulate ? T{1} : T{0}, {f.weight_gradient, S.inputs});
}

}  // namespace gossip::op
