// The small set of real digits that comes with the repository: the MNIST test images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// 8,000 training and 2,000 test images out of the 10,000 of the MNIST test set in folder. The
/// split is a fixed permutation: the first half of that set is easier than the second.
std::pair<dataset, dataset> digits(std::string const &folder);

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/digits.ipp>
#endif
