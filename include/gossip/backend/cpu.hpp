// The host backend: a thread a core (Thrust's TBB system), one single-threaded BLAS, direct
// convolutions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/cpu/ahead.hpp>
#include <gossip/backend/cpu/blas.hpp>
#include <gossip/backend/cpu/convolution.hpp>
#include <gossip/backend/cpu/dense.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/backend/cpu/mixing.hpp>
#include <gossip/backend/cpu/narrow_dense.hpp>
#include <gossip/backend/cpu/pool.hpp>
#include <gossip/backend/cpu/rounding.hpp>
#include <gossip/backend/cpu/threads.hpp>
#include <gossip/op/convolution.hpp>
#include <gossip/op/dense_by_gemm.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/op/pool.hpp>

namespace gossip {

/// All cores of the host, or the given number of threads.
struct cpu {
  static constexpr char const *name = "cpu";
  static constexpr bool on_device = false;

  std::size_t threads = 0;  ///< 0: OMP_NUM_THREADS, or one a core

  template <class T>
  using buffer = host_buffer<T>;

  /// Runs a model's layers: one core.
  struct worker {
    /// Lanes that one call of an operation written for groups takes.
    static constexpr std::size_t lane_step = chunk_samples;

    /// More than one: the cores that share one node's batch.
    std::size_t team = 1;

    /// Memory to ask for while layers are multiplied; by a worker that is one core.
    host::memory_ahead ahead;

    template <class F>
    [[gnu::noinline]] void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
      for (std::size_t j = 0; j < k; ++j)
        for (std::size_t row = 0; row < rows; ++row) {
          if constexpr (requires { f.row(j, row); }) {
            auto const one = f.row(j, row);  // read once for all its lanes
            if constexpr (requires { one.group(lanes); }) {
              for (std::size_t lane = 0; lane < lanes; lane += lane_group) one.group(lane);
            } else {
#ifndef __clang__
#pragma GCC ivdep
#endif
              for (std::size_t lane = 0; lane < lanes; ++lane) one(lane);
            }
          } else {
#ifndef __clang__
#pragma GCC ivdep
#endif
            for (std::size_t lane = 0; lane < lanes; ++lane) f(j, row, lane);
          }
        }
    }

    template <class F>
    void for_each_row(std::size_t k, std::size_t rows, F f) const {
      for_each(k, rows, 1, f);
    }

    /// f(part) for parts of a batch, on all cores of the team.
    template <class F>
    void each(std::size_t parts, F f) const {
      if (team > 1) return cpu{team}.for_each(parts, [&](std::size_t, std::size_t p) { f(p); });
      for (std::size_t p = 0; p < parts; ++p) f(p);
    }
    bool parallel() const { return team > 1; }

    template <class T>
    void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
              matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
      for (std::size_t j = 0; j < k; ++j)
        blas::gemm<T>(s, {a.at.at(j), a.row_stride}, {b.at.at(j), b.row_stride}, beta,
                      {c.at.at(j), c.row_stride});
    }

    template <convolution_shape S, class T>
    void convolve(std::size_t k, op::convolve<S, T> f) const {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::convolve<S, Lanes>(f.weights.at(j), f.bias.at(j), f.in.at(j), f.out.at(j),
                                   f.scratch.at(j));
      });
    }
    /// True where a convolution calls back for a few filters at a time: `then` and `before` below.
    template <convolution_shape S>
    static constexpr bool by_filters = op::is_direct<S>;

    /// then(j, first, count): the outputs of these filters of node j are there; where
    /// then.in_place, in place of those before.
    template <convolution_shape S, class T, class Then>
    void convolve(std::size_t k, op::convolve<S, T> f, Then then) const {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::direct_convolve<S, Lanes>(f.weights.at(j), f.bias.at(j), f.in.at(j), f.out.at(j),
                                          of_node<Then>{then, j});
      });
    }
    /// before(j, first, count): the gradient of the outputs of these filters is wanted; where
    /// before.in_place, in place of that before.
    template <convolution_shape S, class T, class Before>
    void convolve_weights(std::size_t k, op::convolve_weights<S, T> f, Before before) const {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::direct_convolve_weights<S, Lanes>(f.in.at(j), f.out_gradient.at(j),
                                                  f.weight_gradient.at(j), f.accumulate,
                                                  of_node<Before>{before, j});
      });
    }
    template <convolution_shape S, class T>
    void convolve_back(std::size_t k, op::convolve_back<S, T> f) const {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::convolve_back<S, Lanes>(f.weights.at(j), f.out_gradient.at(j), f.in_gradient.at(j),
                                        f.scratch.at(j));
      });
    }
    template <convolution_shape S, class T>
    void convolve_weights(std::size_t k, op::convolve_weights<S, T> f) const {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::convolve_weights<S, Lanes>(f.in.at(j), f.out_gradient.at(j),
                                           f.weight_gradient.at(j), f.scratch.at(j), f.accumulate);
      });
    }

    template <dense_shape S, class T>
    void dense(std::size_t k, op::dense<S, T> f) {
      if constexpr (!host::direct_dense<S, T>) return op::by_gemm(*this, k, f);
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j) {
          T const *in = f.in.at(j);
          if (f.sample_major) {
            host::transpose(in, Lanes, S.inputs, S.inputs, f.scratch.at(j), Lanes);
            in = f.scratch.at(j);
          }
          host::memory_ahead nothing;
          host::dense<S, Lanes>(f.weights.at(j), f.bias.at(j), in, f.out.at(j),
                                parallel() ? nothing : ahead);
        }
      });
    }
    /// True where a first layer can be multiplied while its batch is loaded.
    template <dense_shape S, class T>
    static constexpr bool multiplies_bytes = host::narrow_dense<S, T> && sizeof(T) == sizeof(float);

    /// The products of node j with samples of bytes, whose features are written to f.in on the way.
    template <dense_shape S, class T>
    void dense_of_bytes(std::size_t j, op::dense<S, T> f, strided<T> in,
                        std::span<std::uint8_t const *const> samples, float scale, float shift) {
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        host::dense_of_bytes<S, Lanes>(f.weights.at(j), f.bias.at(j), samples, scale, shift,
                                       in.at(j), f.out.at(j), ahead);
      });
    }
    template <dense_shape S, class T>
    void dense_back(std::size_t k, op::dense_back<S, T> f) const {
      if constexpr (!host::direct_dense<S, T>) return op::by_gemm(*this, k, f);
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j)
          host::dense_back<S, Lanes>(f.weights.at(j), f.out_gradient.at(j), f.in_gradient.at(j));
      });
    }
    template <dense_shape S, class T>
    void dense_weights(std::size_t k, op::dense_weights<S, T> f) const {
      if constexpr (host::narrow_dense<S, T>)
        if (f.sample_major)
          return with_lanes(f.lanes, [&]<std::size_t Lanes>() {
            for (std::size_t j = 0; j < k; ++j)
              host::narrow_dense_weights<S, Lanes>(f.in.at(j), f.out_gradient.at(j),
                                                   f.weight_gradient.at(j), f.accumulate);
          });
      if constexpr (!host::direct_dense<S, T>) return op::by_gemm(*this, k, f);
      constexpr std::size_t stride = host::sample_stride<S, T>;
      bool const in_place = f.sample_major && stride == S.inputs;
      with_lanes(f.lanes, [&]<std::size_t Lanes>() {
        for (std::size_t j = 0; j < k; ++j) {
          T *const copy = f.scratch.at(j);
          if (!f.sample_major) host::transpose(f.in.at(j), S.inputs, Lanes, Lanes, copy, stride);
          if (f.sample_major && !in_place)
            for (std::size_t l = 0; l < Lanes; ++l)
              std::copy_n(f.in.at(j) + l * S.inputs, S.inputs, copy + l * stride);
          host::dense_weights<S, Lanes>(in_place ? f.in.at(j) : copy, stride, f.out_gradient.at(j),
                                        f.weight_gradient.at(j), f.accumulate);
        }
      });
    }
    /// The nearest numbers of a format of 16 bits.
    template <class Format, class T>
    void round(std::size_t k, strided<T> values, std::size_t count) const {
      for (std::size_t j = 0; j < k; ++j) host::round_numbers<Format>(values.at(j), count);
    }
    template <op::pool_shape S, class T>
    void max_pool(std::size_t k, op::max_pool<S, T> f) const {
      for (std::size_t j = 0; j < k; ++j)
        host::max_pool<S>(f.in.at(j), f.out.at(j), f.winner.at(j), f.lanes);
    }

   private:
    /// The callback for filters, of one node.
    template <class Waiting>
    struct of_node {
      static constexpr bool in_place = Waiting::in_place;
      Waiting const &all;
      std::size_t j;
      void operator()(std::size_t first, std::size_t count) const { all(j, first, count); }
    };

    template <class F>
    static void with_lanes(std::size_t lanes, F f) {
      if (lanes == 16) return f.template operator()<16>();
      if (lanes == 32) return f.template operator()<32>();
      f.template operator()<64>();
    }
  };

  std::size_t workers() const { return host_threads{threads}.workers(); }

  /// f(worker number, index) for every index below count, each once, whichever thread is free.
  /// An exception ends the loop and is thrown again here.
  template <class F>
  void for_each(std::size_t count, F f) const {
    host_threads{threads}.for_each(count, f);
  }

  static constexpr std::size_t columns_at_once = host::columns_at_once;

  /// Columns first to last of x (n,d) <- W x, on the calling thread; scratch
  /// (n + beside, columns_at_once).
  template <class T>
  static void mix_tile(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                       std::size_t last, T *scratch, op::rows_beside<T> beside = {}) {
    host::mix_tile(w, x, first, last, scratch, beside);
  }

  /// While a run is under way BLAS stays at one thread, and threads stand ready for its loops.
  struct session {
    explicit session(cpu const &backend) : blas(backend.workers()), team(backend.workers()) {}
    blas::single_thread blas;
    thread_team team;
  };
};

static_assert(backend<cpu>);

}  // namespace gossip
