// The house of include/gossip: its floors, its doors, and who may stand in them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gossip::architecture {

/// A folder includes only folders of lower floors, and itself; its folder detail/ is part of it.
inline std::map<std::string, int> const floors{{"core", 0},
                                               {"op", 1},
                                               {"clock", 1},
                                               {"fleet", 1},
                                               {"optimizer", 1},
                                               {"transport", 1},
                                               {"backend/cpu", 2},
                                               {"backend/cuda", 2},
                                               {"graph", 2},
                                               {"codec", 2},
                                               {"data", 2},
                                               {"model/layer", 2},
                                               {"backend/onednn", 3},
                                               {"topology", 3},
                                               {"model", 3},
                                               {"backend", 4},
                                               {"mixing", 4},
                                               {"plan", 5},
                                               {"transport/mpi", 5},
                                               {"aggregation", 6},
                                               {"attack", 6},
                                               {"exchange", 7},
                                               {"engine", 7},
                                               {"observer", 7},
                                               {"engine/host", 8},
                                               {"engine/device", 9},
                                               {"engine/distributed", 10},
                                               {"simulator", 11},
                                               {"live", 11}};

/// A dependency has one door: the folders or files that may include its headers.
struct door {
  std::string dependency;
  std::vector<std::string> headers;  // beginnings of what stands between < and >
  std::vector<std::string> places;   // folders end with /
};

inline std::vector<door> const doors{
    {"MPI", {"mpi.h", "boost/mpi", "boost/serialization"}, {"transport/mpi/"}},
    {"CUDA", {"cuda", "cublas", "cub/", "curand", "nvtx3/"}, {"backend/"}},
    {"BLAS", {"cblas", "openblas", "mkl", "blis"}, {"backend/cpu/"}},
    {"oneDNN", {"dnnl", "oneapi/dnnl"}, {"backend/onednn/convolution.hpp"}},
    {"TBB", {"tbb/", "oneapi/tbb"}, {"backend/cpu/"}},
    {"METIS", {"metis.h"}, {"graph/metis.hpp"}},
    {"Boost.Graph", {"boost/graph", "boost/property_map"}, {"graph/"}},
    {"nlohmann-json",
     {"nlohmann/"},
     {"data/detail/leaf.ipp", "data/json_text.hpp", "model/read_safetensors.hpp",
      "observer/json.hpp", "simulator/trace.hpp"}},
};

/// A kind of policy: the folder of its models, the header with its contract, the concept, and files
/// of the folder that hold no model.
struct contract {
  std::string folder, header, concept_name;
  std::set<std::string> others;
};

inline std::vector<contract> const contracts{
    {"aggregation", "aggregation/aggregation.hpp", "aggregation_rule", {}},
    {"attack", "attack/attack.hpp", "attack_model", {}},
    {"backend",
     "backend/backend.hpp",
     "backend",
     {"backend/host_machine.hpp", "backend/model_on_host.hpp", "backend/multiplication.hpp"}},
    {"clock",
     "clock/clock.hpp",
     "compute_model",
     {"clock/activities.hpp",      "clock/activity_graph.hpp",  "clock/collective.hpp",
      "clock/contention.hpp",      "clock/fair_share.hpp",      "clock/link.hpp",
      "clock/links.hpp",           "clock/machine_kind.hpp",    "clock/machine_speeds.hpp",
      "clock/message_loss.hpp",    "clock/message_network.hpp", "clock/network_activities.hpp",
      "clock/network_cuts.hpp",    "clock/next_times.hpp",      "clock/outage.hpp",
      "clock/outage_trace.hpp",    "clock/outages.hpp",         "clock/owner_ends.hpp",
      "clock/participation.hpp",   "clock/prepared_times.hpp",  "clock/region_trace.hpp",
      "clock/speed_trace.hpp",     "clock/timeline.hpp",        "clock/trace_header.hpp",
      "clock/two_state_chain.hpp", "clock/units.hpp",           "clock/whole_nanoseconds.hpp"}},
    {"codec", "codec/codec.hpp", "row_codec", {"codec/bit_stream.hpp"}},
    {"exchange", "plan/exchange.hpp", "exchange", {}},
    {"mixing",
     "mixing/weights.hpp",
     "weight_rule",
     {"mixing/active_matchings.hpp", "mixing/arrived_weights.hpp", "mixing/averaging_times.hpp",
      "mixing/cast_weights.hpp", "mixing/graph_report.hpp", "mixing/matching.hpp",
      "mixing/matrix.hpp", "mixing/spectrum.hpp"}},
    {"optimizer",
     "optimizer/optimizer.hpp",
     "optimizer",
     {"optimizer/row_arithmetic.hpp", "optimizer/schedule.hpp", "optimizer/statistics.hpp"}},
    {"topology", "topology/topology.hpp", "topology", {}},
    {"transport",
     "transport/transport.hpp",
     "transport",
     {"transport/communication_report.hpp", "transport/facts.hpp"}},
};

/// Parts that say nothing about what a file holds.
inline std::set<std::string> const empty_words{"fast",   "optimized", "new",     "util",
                                               "utils",  "helper",    "helpers", "manager",
                                               "common", "misc",      "impl"};

inline constexpr std::size_t widest_line = 100;  // columns

}  // namespace gossip::architecture
