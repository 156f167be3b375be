// The plan alone, on one core: AD-PSGD on a random 8-regular graph, log-normal compute times.
#include "planning/plan.hpp"

#include <string>

#include "figures.hpp"

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
  compare_forms(results, given.quick);
  return 0;
}
