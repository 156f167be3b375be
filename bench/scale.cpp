// Cost of a node-iteration in a large network and in a small one, and the memory of the large run
// beside what was announced.
#include <exception>
#include <iostream>

#include <gossip/gossip.hpp>

#include "figures.hpp"
#include "steady_rate.hpp"

namespace gossip::bench {

/// LeNet-5 in D-PSGD, batch 64; the first round is not counted.
run_report run(std::size_t nodes, std::uint64_t counted_rounds, dataset const &train,
               interval &seen) {
  simulator network{random_regular{.nodes = nodes, .degree = 8}, lenet5{},
                    sgd{.rate = 0.01, .momentum = 0.9}, d_psgd{}};
  seen.warm_up = nodes;
  seen.enough = 1e9;
  return network.run({.seed = 1, .batch = 64, .stop = rounds{1 + counted_rounds}},
                     split(train, iid{}), watch{&seen});
}

double milliseconds_each(interval const &seen) {
  return 1e3 / seen.per_second();
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  auto const [train, test] = gossip::digits("samples/data/digits");
  std::size_t const nodes = given.quick ? 200 : 4000;
  std::uint64_t const small_rounds = given.quick ? 5 : 25;
  try {
    interval before, large, after;
    run(40, small_rounds, train, before);
    gossip::run_report const report = run(nodes, 1, train, large);
    run(40, small_rounds, train, after);
    double const small = (milliseconds_each(before) + milliseconds_each(after)) / 2;
    results.add("nodes", static_cast<double>(nodes), "");
    results.add("cost.40", small, "ms per node-iteration");
    results.add("cost.large", milliseconds_each(large), "ms per node-iteration");
    results.add("cost.ratio", milliseconds_each(large) / small, "");
    results.add("memory.announced", static_cast<double>(report.announced.total()) * 1e-9, "GB");
    results.add("memory.resident", static_cast<double>(report.peak_resident_bytes) * 1e-9, "GB");
  } catch (std::exception const &e) {
    std::cerr << "scale: " << e.what() << '\n';
    return 1;
  }
  return 0;
}
