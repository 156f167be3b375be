// The serial backend: one thread, every operation in its plainest form. The oracle for all others.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/cpu/denormals.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/op/gemm_shape.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/mix.hpp>
#include <gossip/op/plain_layers.hpp>

namespace gossip {

/// Plain loops on the calling thread.
struct serial {
  static constexpr char const *name = "serial";
  static constexpr bool on_device = false;

  template <class T>
  using buffer = host_buffer<T>;

  /// Runs a model's layers.
  struct worker : op::plain_layers<worker> {
    worker() = default;
    explicit worker(serial const &) {}

    /// Lanes that one call of an operation written for groups takes.
    static constexpr std::size_t lane_step = 1;

    /// f(node, row, lane) for every node of the cohort, row and lane.
    template <class F>
    void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
      for (std::size_t j = 0; j < k; ++j)
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t lane = 0; lane < lanes; ++lane) f(j, row, lane);
    }

    /// C_j = op(A_j) op(B_j) + beta C_j for every node j of the cohort. Each number is a sum in
    /// ascending order; those of some columns are made side by side.
    template <class T>
    void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
              matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
      constexpr std::size_t most = 32;  // columns
      for_each(
          k, s.m, (s.n + most - 1) / most, [=](std::size_t j, std::size_t m, std::size_t part) {
            std::size_t const first = part * most, columns = std::min(most, s.n - first);
            T sums[most] = {};
            for (std::size_t i = 0; i < s.k; ++i) {
              T const x = a.at.at(j)[s.transpose_a ? i * a.row_stride + m : m * a.row_stride + i];
              if (s.transpose_b) {
                T const *const y = b.at.at(j) + first * b.row_stride + i;
                for (std::size_t n = 0; n < columns; ++n) sums[n] += x * y[n * b.row_stride];
              } else {
                T const *const y = b.at.at(j) + i * b.row_stride + first;
                for (std::size_t n = 0; n < columns; ++n) sums[n] += x * y[n];
              }
            }
            T *const to = c.at.at(j) + m * c.row_stride + first;
            for (std::size_t n = 0; n < columns; ++n)
              to[n] = (beta == T{0} ? T{0} : beta * to[n]) + sums[n];
          });
    }
  };

  static constexpr std::size_t workers() { return 1; }

  /// f(worker number, index) for every index below count.
  template <class F>
  void for_each(std::size_t count, F f) const {
    flushed_denormals const guard;
    for (std::size_t i = 0; i < count; ++i) f(std::size_t{0}, i);
  }

  // The verbs of a device, so that what is written for devices can be tested without one.

  /// f(index) for every index below count.
  template <class F>
  void launch(std::size_t count, F f) const {
    flushed_denormals const guard;
    for (std::size_t i = 0; i < count; ++i) f(i);
  }
  static constexpr void wait() {}

  /// The launches of f(), to be repeated where f() launches the same; here nothing is kept.
  struct recording {};
  template <class F>
  void replay(recording &, F f) const {
    f();
  }

  template <class T>
  void upload(T *to, T const *from, std::size_t count) const {
    std::copy_n(from, count, to);
  }
  template <class T>
  void download(T *to, T const *from, std::size_t count) const {
    std::copy_n(from, count, to);
  }

  /// Memory of the host that a device copies from and to while the host goes on, and how to learn
  /// that it has.
  template <class T>
  using pinned = host_buffer<T>;
  struct event {
    static constexpr bool passed() { return true; }
  };
  static constexpr void record(event &) {}
  template <class T>
  void begin_upload(T *to, T const *from, std::size_t count) const {
    std::copy_n(from, count, to);
  }
  template <class T>
  void begin_download(T *to, T const *from, std::size_t count) const {
    std::copy_n(from, count, to);
  }

  static constexpr std::size_t columns_at_once = 128;

  /// Columns first to last of x (n,d) <- W x, on the calling thread; scratch
  /// (n + beside, columns_at_once).
  template <class T>
  static void mix_tile(op::mixing_rows<T> const &w, rows_view<T> x, std::size_t first,
                       std::size_t last, T *scratch, op::rows_beside<T> beside = {}) {
    for (; first < last; first += std::min(columns_at_once, last - first))
      op::mix_tile(w, x, first, std::min(first + columns_at_once, last), scratch, beside);
  }

  /// Settings of libraries during a run; here none.
  struct session {
    explicit session(serial const &) {}
  };
};

static_assert(backend<serial>);
static_assert(device_backend<serial>);

}  // namespace gossip
