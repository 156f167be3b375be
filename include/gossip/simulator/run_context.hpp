// What a run is of, beside the policies of its simulator.
#pragma once

#include <cstddef>
#include <memory>

#include <gossip/data/sample_assignment.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// Source: the samples of workers, see source_of.
template <class Source>
struct run_context {
  run_settings settings;
  graph network;
  epoch_length epoch;
  std::shared_ptr<partition const> shares;  ///< null for a model that is its own data
  Source source;
  std::size_t data_bytes;  ///< of what the caller keeps
};

}  // namespace gossip::detail
