// The data sets that are read from files.
#pragma once

#include <string>
#include <utility>

#include <gossip/data/dataset.hpp>

#include "built_models.hpp"
#include "schema.hpp"

namespace simulate {

/// False for a kind of data that is computed.
bool is_read_from_files(std::string const &kind);

/// Training and test samples of /data, which is of such a kind, in the model's shape where NumPy,
/// CSV or LEAF files have as many features. The files are read once, as long as the same data are
/// asked for.
data_pair file_data(json const &data, model const &m);

}  // namespace simulate
