// Cost of choosing exchange and compute times at run time: plan and run of both forms, in turns. In
// a text of its own: the planner of the other is compiled as in a program without these.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>

#include "plan.hpp"

namespace gossip::bench {
namespace {

/// Seconds of a run whose model is so small that the plan takes most of it.
template <class Exchange = ad_psgd, class Compute = lognormal_time>
double run(std::uint64_t count) {
  simulator network{random_regular{.nodes = 1000, .degree = 8},
                    quadratic<16>{},
                    sgd{.rate = 0.05},
                    Exchange(ad_psgd{}),
                    virtual_clock<Compute>{.compute = lognormal_time{}},
                    cpu{.threads = 1}};
  return network.run({.stop = rounds{count}}).wall_seconds;
}

/// Least times of both forms, and the median over the repeats of how the second stands to the
/// first.
struct both_forms {
  double specialised = 1e300, erased = 1e300, ratio = 0;
};

template <class F, class G>
both_forms compare(F specialised, G erased) {
  both_forms found;
  std::vector<double> ratios;
  for (int repeat = 0; repeat < 9; ++repeat) {
    double const first = specialised(), second = erased();
    found.specialised = std::min(found.specialised, first);
    found.erased = std::min(found.erased, second);
    ratios.push_back(second / first);
  }
  std::ranges::nth_element(ratios, ratios.begin() + 4);
  found.ratio = ratios[4];
  return found;
}

/// Processor time of f, which has no other thread.
template <class F>
double processor_seconds(F f) {
  std::clock_t const begin = std::clock();
  f();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

void compare_forms(figures &results, bool quick) {
  std::uint64_t const trainings = quick ? 1'000'000 : 4'000'000;
  double const million = static_cast<double>(trainings) * 1e-6;
  both_forms const plans = compare(
      [&] { return processor_seconds([&] { plan(1000, trainings); }); },
      [&] {
        return processor_seconds([&] { plan<any_exchange, any_compute_time>(1000, trainings); });
      });
  results.add("events.specialised", million / plans.specialised, "million trainings/s");
  results.add("events.erased", million / plans.erased, "million trainings/s");
  results.add("events.erased_over_specialised", 1 / plans.ratio, "");
  both_forms const runs =
      compare([&] { return run(trainings / 4000); },
              [&] { return run<any_exchange, any_compute_time>(trainings / 4000); });
  results.add("run.specialised", runs.specialised, "s");
  results.add("run.erased", runs.erased, "s");
  results.add("run.erased_over_specialised", runs.ratio, "");
}

}  // namespace gossip::bench
