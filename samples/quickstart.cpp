// A network of nodes teach each other to read digits.
#include <iostream>

#include <gossip/gossip.hpp>

int main(int argc, char **argv) {
  auto const [train, test] = gossip::digits(argc > 1 ? argv[1] : "samples/data/digits");

  gossip::simulator network{gossip::random_regular{.nodes = 64, .degree = 8},
                            gossip::lenet5{},  // 431,080 parameters, known at compile time
                            gossip::sgd{.rate = 0.05, .momentum = 0.9}, gossip::ad_psgd{}};

  auto const report = network.run(
      {.seed = 1, .batch = 64, .stop = gossip::epochs{10}}, gossip::split(train, gossip::iid{}),
      gossip::every(gossip::epochs{1}, gossip::accuracy{test, {.nodes = 16, .samples = 1000}}),
      gossip::consensus_distance{}, gossip::progress{true}, gossip::json_lines{"/tmp/run.jsonl"});

  std::cout << report;
}
