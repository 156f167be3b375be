// The house of include/gossip: its floors, its doors, and who may stand in them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gossip::architecture {

/// A folder includes only folders of lower floors, and itself.
inline std::map<std::string, int> const floors{
    {"core", 0},      {"backend", 1}, {"op", 1},        {"graph", 2},     {"codec", 2},
    {"data", 2},      {"clock", 2},   {"model", 3},     {"optimizer", 3}, {"plan", 3},
    {"exchange", 4},  {"fleet", 4},   {"transport", 4}, {"engine", 5},    {"observer", 5},
    {"simulator", 6}, {"live", 6}};

/// Neighbours on one floor: the first may include the second, never the other way round.
inline std::set<std::pair<std::string, std::string>> const neighbors{
    {"backend", "op"},  // a backend runs the kernels, which know of no backend
};

/// A dependency has one door: the folders or files that may include its headers.
struct door {
  std::string dependency;
  std::vector<std::string> headers;  // beginnings of what stands between < and >
  std::vector<std::string> places;   // folders end with /
};

inline std::vector<door> const doors{
    {"MPI", {"mpi.h", "boost/mpi", "boost/serialization"}, {"transport/"}},
    {"CUDA", {"cuda", "cublas", "cub/", "curand", "nvtx3/"}, {"backend/"}},
    {"BLAS", {"cblas", "openblas", "mkl", "blis"}, {"backend/"}},
    {"oneDNN", {"dnnl", "oneapi/dnnl"}, {"backend/onednn_convolution.hpp"}},
    {"METIS", {"metis.h"}, {"graph/metis.hpp"}},
    {"Boost.Graph", {"boost/graph", "boost/property_map"}, {"graph/"}},
    {"nlohmann-json", {"nlohmann/"}, {"observer/json.hpp", "fleet/checkpoint.hpp"}},
};

/// Parts that say nothing about what a file holds.
inline std::set<std::string> const empty_words{"fast",   "optimized", "new",     "util",
                                               "utils",  "helper",    "helpers", "manager",
                                               "common", "misc",      "impl"};

inline constexpr std::size_t longest_header = 300;  // lines
inline constexpr std::size_t widest_line = 100;     // columns

}  // namespace gossip::architecture
