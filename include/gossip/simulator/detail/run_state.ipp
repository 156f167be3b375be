// Definitions of simulator/run_state.hpp.
#pragma once

#include <gossip/simulator/run_state.hpp>

#include <algorithm>
#include <sstream>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

GOSSIP_INLINE void require_same_run(std::string const &saved, std::string const &here,
                                    bool longer) {
  std::istringstream of_state(saved), of_run(here);
  auto const tells_end = [](std::string const &line) {
    return line.starts_with("node-iterations: ") || line.starts_with("rate at the end: ");
  };
  for (std::string expected, got; of_state || of_run; expected.clear(), got.clear()) {
    std::getline(of_state, expected);
    std::getline(of_run, got);
    if (expected != got && !(longer && tells_end(expected) && tells_end(got)))
      throw input_error("state", "a run with '" + expected + "', as in the saved run",
                        "'" + got + "'");
  }
}

GOSSIP_INLINE void require_before_end(std::string const &place, std::uint64_t of_state,
                                      std::uint64_t reached, std::uint64_t trainings,
                                      std::size_t nodes) {
  std::uint64_t const left = of_state - std::min(of_state, reached);
  if (of_state < trainings && left < nodes)
    throw input_error(place,
                      "at least " + std::to_string(nodes) +
                          " node-iterations to the end of its run, since this one ends later",
                      std::to_string(left));
}

}  // namespace gossip::detail
