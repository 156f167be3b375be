// Data sets of LEAF, such as FEMNIST: JSON files with the samples of users. S. Caldas, S. M. K.
// Duddu, P. Wu, T. Li, J. Konecny, H. B. McMahan, V. Smith, A. Talwalkar, "LEAF: a benchmark for
// federated settings", 2018.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <gossip/data/dataset.hpp>

namespace gossip {

/// Training and test samples of a folder of LEAF with train/ and test/, the features as they are
/// (of FEMNIST 28 x 28 from 0 to 1), each with its user: split(train, by_user{}). A user has the
/// same number in both. Both sets have as many classes as the labels of either say. Throws
/// input_error by file, user and sample.
std::pair<dataset, dataset> leaf_sets(std::string const &folder, sample_shape shape = {1, 28, 28});

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/leaf.ipp>
#endif
