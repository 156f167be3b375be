// Group normalisation: Wu and He, "Group normalization", ECCV 2018. Nothing is shared between
// samples, and nothing but parameters lies in the row: what many choose for decentralized training.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <gossip/model/layer/layer.hpp>
#include <gossip/op/group_norm.hpp>
#include <gossip/op/row_tensors.hpp>

namespace gossip {

/// Each of `Groups` groups of channels of a sample is brought to mean 0 and variance 1, then its
/// channels are scaled and shifted. One group is layer normalisation over channels and positions,
/// as many as channels instance normalisation. Row: weights (channels), biases (channels).
template <std::size_t Groups>
struct group_norm {
  static constexpr double epsilon = 1e-5;

  template <tensor_shape In>
  struct on {
    static_assert(Groups > 0 && In.channels % Groups == 0,
                  "gossip::group_norm: the channels must be a multiple of the groups. See "
                  "docs/policies/model.md");
    static constexpr op::group_shape shape{In.channels, In.plane(), Groups};
    static constexpr tensor_shape out = In;
    static constexpr std::size_t parameters = 2 * In.channels;
    static constexpr std::array<tensor_matrix, 2> tensors{{{In.channels, 1}, {In.channels, 1}}};
    static constexpr std::size_t kept = 2 * Groups;  // numbers a lane from forward for backward
    static constexpr std::size_t saved = 0;
    static constexpr double forward_flops = 0;
    static constexpr double backward_flops(bool) { return 0; }

    template <class T>
    static void initialise(std::span<T> row, keyed_random &) {
      std::fill_n(row.begin(), In.channels, T{1});
      std::fill_n(row.begin() + In.channels, In.channels, T{0});
    }

    template <class Worker, class T>
    static void forward(Worker &worker, layer_pass<T> const &p) {
      worker.for_each(p.k, Groups * (p.lanes / wide<Worker>), 1,
                      op::normalise_group<shape, wide<Worker>, T>{
                          p.in, p.parameters, p.out, p.kept, p.lanes, static_cast<T>(epsilon)});
    }

    template <class Worker, class T>
    static void backward(Worker &worker, layer_pass<T> const &p) {
      worker.for_each_row(
          p.k, In.channels,
          op::group_weight_gradient<shape, T>{p.in, p.out_gradient, p.kept, p.parameter_gradient,
                                              p.lanes, p.accumulate});
      if (p.in_gradient.data)
        worker.for_each(p.k, Groups * (p.lanes / wide<Worker>), 1,
                        op::normalise_group_back<shape, wide<Worker>, T>{
                            p.in, p.out_gradient, p.parameters, p.kept, p.in_gradient, p.lanes});
    }

   private:
    template <class Worker>
    static constexpr std::size_t wide = [] {  // lanes of a call
      constexpr std::size_t lanes = std::min(lane_group, Worker::lane_step);
      static_assert(lane_group % lanes == 0,
                    "gossip::group_norm: the lane_step of a worker must divide 16, or be a "
                    "multiple of it. See docs/policies/backend.md");
      return lanes;
    }();
  };
};

}  // namespace gossip
