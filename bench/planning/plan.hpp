// A plan alone: its windows, planned and sorted by level.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/plan/planner.hpp>
#include <gossip/topology/random_regular.hpp>

#include "../figures.hpp"
#include "../limits.hpp"

namespace gossip::bench {

/// Counts of a plan, and the seconds that it took.
struct planned {
  double trainings = 0, operations = 0, cohorts = 0, time = 0;
};

/// Exchange and clock: types, or any_exchange and any_compute_time.
template <class Exchange = ad_psgd, class Compute = lognormal_time>
planned plan(std::size_t nodes, std::uint64_t trainings) {
  graph const network = random_regular{.nodes = nodes, .degree = 8}.build(1);
  planner<Exchange> ahead(ad_psgd{}, network, virtual_clock<Compute>{.compute = lognormal_time{}},
                          {.seed = 1,
                           .node_iterations = trainings,
                           .epoch = {.samples = 1000},
                           .message_bytes = 1'724'320,
                           .rate = [](double) { return 0.05; },
                           .cadences = {}});
  plan_window window;
  planned sums;
  auto const next = [&] {
    bool more = false;
    sums.time += seconds([&] { more = ahead.next(window); });
    return more;
  };
  while (next()) {
    sums.operations += static_cast<double>(window.stream.size());
    for (std::size_t l = 0; l < window.levels(); ++l) {
      sums.trainings += static_cast<double>(window.level(l).cohort.size());
      sums.cohorts += !window.level(l).cohort.empty();
    }
  }
  return sums;
}

/// Measures the cost of choosing exchange and compute times at run time.
void compare_forms(figures &results, bool quick);

}  // namespace gossip::bench
