// Refusals of topologies, and a folder for files that they read.
#pragma once

#include <cstdint>
#include <string>

#include <gossip/core/error.hpp>

#include "../catch.hpp"
#include "../data/temporary_folder.hpp"

namespace gossip::test {

/// The sentence of what building this topology throws; empty if it does not.
template <class Topology>
std::string refusal(Topology const &made, std::uint64_t seed = 1) {
  try {
    made.build(seed);
  } catch (input_error const &refused) {
    return refused.what();
  }
  return "";
}

}  // namespace gossip::test
