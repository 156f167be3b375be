// A network of nodes teach each other to read digits; the README's program.
// test: 0.1 /dev/null
#include <cstdlib>
#include <iostream>

#include <gossip/gossip.hpp>
#include <gossip/observer/json_lines.hpp>

int main(int argc, char **argv) {
  double const epochs = argc > 1 ? std::atof(argv[1]) : 20;
  // quote network
  auto const [train, test] = gossip::digits("samples/data/digits");
  gossip::simulator network{gossip::random_regular{.nodes = 64, .degree = 8}, gossip::lenet5{},
                            gossip::sgd{.rate = 0.05, .momentum = 0.9}, gossip::ad_psgd{}};
  auto const report = network.run(
      {.seed = 1, .batch = 64, .stop = gossip::epochs{epochs}},
      gossip::split(train, gossip::dirichlet{.alpha = 0.5}),
      gossip::every(gossip::epochs{5}, gossip::accuracy{test, {.nodes = 16, .samples = 1000}},
                    gossip::consensus_distance{}),
      gossip::progress{}, gossip::json_lines{argc > 2 ? argv[2] : "run.jsonl"});
  std::cout << report;
  // end quote
  return 0;
}
