// The data sets of files that are not of a fixed shape: arrays of NumPy, tables, users of LEAF.
#pragma once

#include <string>
#include <utility>

#include <gossip/data/dataset.hpp>

#include "job.hpp"
#include "schema.hpp"

namespace simulate {

/// Membership: true where a kind of data is one of these.
bool is_own_data(std::string const &kind);

/// Its training and test samples, in the model's shape where they have as many features. Read once,
/// as long as the same are asked for.
data_pair own_data(json const &data, model const &m);

}  // namespace simulate
