// The layers of a worker that has loops and matrix products and nothing faster: every operation as
// its function object says it.
#pragma once

#include <cstddef>

#include <gossip/op/convolution.hpp>
#include <gossip/op/dense_by_gemm.hpp>
#include <gossip/op/pool.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip::op {

/// Base of `Worker`, which has for_each and gemm.
template <class Worker>
class plain_layers {
 public:
  /// f(part) for parts of a batch that may be worked on at once; here one after another.
  template <class F>
  void each(std::size_t parts, F f) const {
    for (std::size_t p = 0; p < parts; ++p) f(p);
  }
  static constexpr bool parallel() { return false; }

  /// A function that sums over rows, of every node and row: here f(node, row, 0). Workers with
  /// teams of threads call f.by_team(team, node, row), whose sums may have another order.
  template <class F>
  void for_each_row(std::size_t k, std::size_t rows, F f) const {
    self().for_each(k, rows, 1, f);
  }

  static constexpr scratch_use scratch = scratch_use::none;

  template <convolution_shape S, class T>
  void convolve(std::size_t k, op::convolve<S, T> f) const {
    self().for_each(k, S.filters * S.out_plane(), f.lanes, f);
  }
  template <convolution_shape S, class T>
  void convolve_back(std::size_t k, op::convolve_back<S, T> f) const {
    self().for_each(k, S.channels * S.in_plane(), f.lanes, f);
  }
  template <convolution_shape S, class T>
  void convolve_weights(std::size_t k, op::convolve_weights<S, T> f) const {
    self().for_each(k, S.weights(), 1, f);
  }
  template <dense_shape S, class T>
  void dense(std::size_t k, op::dense<S, T> f) const {
    by_gemm(self(), k, f);
  }
  template <dense_shape S, class T>
  void dense_back(std::size_t k, op::dense_back<S, T> f) const {
    by_gemm(self(), k, f);
  }
  template <dense_shape S, class T>
  void dense_weights(std::size_t k, op::dense_weights<S, T> f) const {
    by_gemm(self(), k, f);
  }
  template <pool_shape S, class T>
  void max_pool(std::size_t k, op::max_pool<S, T> f) const {
    self().for_each(k, S.out_size(), f.lanes, f);
  }

 private:
  Worker const &self() const { return static_cast<Worker const &>(*this); }
};

}  // namespace gossip::op
