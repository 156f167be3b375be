// Provenance of a result: all that its bits depend on, so that a report is enough to repeat it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gossip {

/// A policy by its name and the values of its members, in words.
struct named_policy {
  std::string name;
  std::vector<std::pair<std::string, std::string>> members{};

  /// "fed_avg, local_steps 10, clients 0".
  std::string text() const {
    std::string all = name;
    for (auto const &[member, value] : members) all += ", " + member + ' ' + value;
    return all;
  }
};

/// Of a run, on rank 0 where there are several. Members that are unknown or play no part are empty.
struct provenance {
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> topology_seed{};  ///< of the graph, where it has one of its own
  std::optional<std::uint64_t> split_seed{};     ///< of the split, where it has one of its own
  named_policy exchange{};
  std::string backend{};    ///< serial, cpu, onednn or cuda
  std::string numbers{};    ///< of arithmetic, gradients and rows: "float, gradients in fp16"
  std::string processor{};  ///< as the system names it
  std::string device{};     ///< GPU, where the backend has one
  std::string compiler{};   ///< with its version
  std::string flags{};      ///< as macros tell them; a program that knows its own writes them here
  std::string commit{};     ///< of the library, where a program knows it
  std::string blas{};       ///< with its version
  std::string kernels{};    ///< of BLAS, which chooses them by processor or OPENBLAS_CORETYPE
  std::string library{};    ///< of convolutions, with its version: oneDNN
};

}  // namespace gossip
