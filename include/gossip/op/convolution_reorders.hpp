// Conditions and scratch memory of a convolution by a library whose arrays have another format.
#pragma once

#include <cstddef>

#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_shape.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Whether a library's convolution is worth reordering its arrays: not where small planes need no
/// packing, nor for one tap, which costs less; channels and filters must be whole groups, which
/// blocked formats do not pad.
template <convolution_shape S>
inline constexpr bool is_worth_reordering =
    !is_direct<S> && S.kernel > 1 && S.channels % lane_group == 0 && S.filters % lane_group == 0;

/// Numbers a lane of inputs, outputs and weights in that format, at any number of lanes.
template <convolution_shape S>
inline constexpr std::size_t reorder_scratch =
    S.channels * S.in_plane() + S.filters * S.out_plane() +
    (S.weights() + lane_group - 1) / lane_group;

}  // namespace gossip::op
