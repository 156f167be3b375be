// The layers of a worker whose matrix products are quick: convolutions are products too.
#pragma once

#include <cstddef>

#include <gossip/op/convolution_by_gemm.hpp>
#include <gossip/op/plain_layers.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip::op {

/// Base of `Worker`, which has for_each and gemm.
template <class Worker>
class product_layers : public plain_layers<Worker> {
 public:
  static constexpr scratch_use scratch = scratch_use::columns;

  template <convolution_shape S, class T>
  void convolve(std::size_t k, op::convolve<S, T> f) const {
    by_gemm(self(), k, f);
  }
  template <convolution_shape S, class T>
  void convolve_back(std::size_t k, op::convolve_back<S, T> f) const {
    by_gemm(self(), k, f);
  }
  template <convolution_shape S, class T>
  void convolve_weights(std::size_t k, op::convolve_weights<S, T> f) const {
    by_gemm(self(), k, f);
  }

 private:
  Worker const &self() const { return static_cast<Worker const &>(*this); }
};

}  // namespace gossip::op
