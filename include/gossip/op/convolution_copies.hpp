// What a convolution takes with it into a library that wants its arrays in an order of its own.
#pragma once

#include <cstddef>

#include <gossip/op/convolution_blocks.hpp>
#include <gossip/op/convolution_shape.hpp>
#include <gossip/op/lanes.hpp>

namespace gossip::op {

/// Whether a library's convolution is worth the copies: not where small planes need no packing, nor
/// for one tap, which costs less than they do; and whole blocks of channels, which need no filling.
template <convolution_shape S>
inline constexpr bool is_worth_copies =
    !is_direct<S> && S.kernel > 1 && S.channels % lane_group == 0 && S.filters % lane_group == 0;

/// Numbers a lane of inputs, outputs and weights in that order, at any number of lanes.
template <convolution_shape S>
inline constexpr std::size_t copy_scratch = S.channels *S.in_plane() + S.filters *S.out_plane() +
                                            (S.weights() + lane_group - 1) / lane_group;

}  // namespace gossip::op
