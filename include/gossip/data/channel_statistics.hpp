// Mean and standard deviation of every channel of a data set, and a set normalised by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// Of the features of a channel over all samples and pixels, as they are after scaling.
struct channel_moments {
  double mean = 0.0;
  double deviation = 1.0;  // of the whole set: divided by the count, not by one less
};

/// The moments of every channel, (channels); computed in double, from histograms where features are
/// bytes. Two passes over the set.
std::vector<channel_moments> channel_statistics(dataset const &data);

/// The set with every feature less the mean and divided by the deviation of its channel. Give a
/// test set the moments of its training set. Bytes are shared with data, floats are copied. Throws
/// input_error if there is not one pair for each channel, or a deviation that is not above 0.
dataset normalised(dataset const &data, std::span<channel_moments const> moments);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/channel_statistics.ipp>
#endif
