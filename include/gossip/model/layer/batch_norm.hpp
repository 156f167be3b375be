// Batch normalisation: Ioffe and Szegedy, "Batch normalization: accelerating deep network training
// by reducing internal covariate shift", ICML 2015; arithmetic and defaults as PyTorch's
// BatchNorm2d.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/batch_norm.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// Each channel is brought to mean 0 and variance 1 over batch and positions, then scaled and
/// shifted. Row: weights (channels), biases (channels); statistics behind the trainable part:
/// running means (channels), running variances (channels), which take the place of the batch's when
/// a model is evaluated. A relu that follows is done in the same pass.
struct batch_norm {
  static constexpr double epsilon = 1e-5;

  template <tensor_shape In, bool Rectifies = false>
  struct on {
    static constexpr tensor_shape out = In;
    static constexpr std::size_t parameters = 2 * In.channels;
    static constexpr std::array<tensor_matrix, 2> tensors{{{In.channels, 1}, {In.channels, 1}}};
    static constexpr std::size_t statistics = 2 * In.channels;
    static constexpr std::size_t saved = 0;
    static constexpr double forward_flops = 0;
    static constexpr double backward_flops(bool) { return 0; }
    static constexpr op::batch_moments at{In.channels};

    static constexpr std::size_t shared(std::size_t chunks) { return at.size(chunks); }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &) {
      std::fill_n(row.begin(), In.channels, T{1});
      std::fill_n(row.begin() + In.channels, In.channels, T{0});
    }
    template <class T>
    static void initialise_statistics(std::span<T> row) {
      std::fill_n(row.begin(), In.channels, T{0});
      std::fill_n(row.begin() + In.channels, In.channels, T{1});
    }

    template <class Worker, class T>
    static void measure(Worker &worker, layer_pass<T> const &p) {
      worker.for_each_row(
          p.k, In.channels,
          op::measure_channel<T>{p.in, p.shared, at, In.plane(), p.lanes, p.samples, p.chunk});
    }

    template <class Worker, class T>
    static void combine(Worker &worker, layer_pass<T> const &p) {
      worker.for_each(p.k, In.channels, 1,
                      op::combine_moments<T>{p.shared, p.staged, at, In.plane(), p.chunk_size,
                                             p.batch, static_cast<T>(epsilon)});
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      strided<T const> const batch = p.shared;
      worker.for_each(p.k, In.channels, In.plane() * p.lanes,
                      op::normalise<T, Rectifies>{
                          p.in, p.parameters, p.training ? batch : p.statistics, !p.training, p.out,
                          at, In.plane() * p.lanes, static_cast<T>(epsilon)});
    }

    template <class Worker, class T>
    static void measure_back(Worker &worker, layer_pass<T> const &p) {
      worker.for_each_row(
          p.k, In.channels,
          op::measure_gradient<T, Rectifies>{p.in, p.out, p.out_gradient, p.shared, at, In.plane(),
                                             p.lanes, p.samples, p.chunk});
    }

    template <class Worker, class T>
    static void combine_back(Worker &worker, layer_pass<T> const &p) {
      worker.for_each(p.k, In.channels, 1,
                      op::combine_gradients<T>{p.shared, p.parameter_gradient, at, In.plane(),
                                               p.chunks, p.batch});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      if (p.in_gradient.data)
        worker.for_each(p.k, In.channels, In.plane() * p.lanes,
                        op::normalise_back<T, Rectifies>{p.in, p.out, p.out_gradient, p.parameters,
                                                         p.shared, p.in_gradient, at,
                                                         In.plane() * p.lanes, p.lanes, p.samples});
    }
  };
};

}  // namespace gossip
