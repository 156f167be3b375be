// The plan alone, on one core: AD-PSGD on a random 8-regular graph, log-normal compute times.
#include <algorithm>
#include <string>

#include <gossip/clock/lognormal_time.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/graph/random_regular.hpp>
#include <gossip/plan/planner.hpp>

#include "figures.hpp"
#include "limits.hpp"

namespace gossip::bench {

/// Windows of 4 n trainings, planned and sorted by level.
struct planned {
  double trainings = 0, operations = 0, cohorts = 0, time = 0;
};

planned plan(std::size_t nodes, std::uint64_t trainings) {
  graph const network = random_regular{.nodes = nodes, .degree = 8}.build(1);
  planner<ad_psgd, lognormal_time> ahead(ad_psgd{}, network, virtual_clock<lognormal_time>{},
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

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  planned best;
  for (int repeat = 0; repeat < 3; ++repeat) {
    planned const once = plan(1000, given.quick ? 1'000'000 : 4'000'000);
    if (repeat == 0 || once.time < best.time) best = once;
  }
  results.add("events", best.trainings / best.time * 1e-6, "million trainings/s");
  results.add("operations", best.operations / best.time * 1e-6, "million operations/s");
  for (std::size_t const nodes : {16, 100, 1000}) {
    planned const p = plan(nodes, 200 * nodes);
    results.add("mean_cohort." + std::to_string(nodes), p.trainings / p.cohorts, "trainings");
  }
}
