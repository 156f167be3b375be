// An exchange of one's own: nodes that pull a neighbour's model now and then, against AD-PSGD.
// test: 1
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include <gossip/gossip.hpp>

// quote exchange
/// A node trains on its own for a few steps, then takes a share of one random neighbour's model.
/// The neighbour notices nothing: half the messages of an average, and the mean of all models is
/// not kept.
struct epidemic_pull {
  std::uint64_t steps = 2;  ///< between two pulls
  double share = 0.5;       ///< of the neighbour's model

  struct node_state {
    std::uint64_t steps = 0;
  };

  void on_trained(auto &plan, gossip::node i) const {
    if (++plan.state(i).steps % steps == 0 && plan.has_neighbor(i))
      plan.combine(i, plan.random_neighbor(i), share);
    plan.step(i);
    plan.train(i);
  }
};
// end quote

template <class Exchange>
void compare(char const *name, Exchange const &exchange, double epochs) {
  auto const [train, test] = gossip::digits("samples/data/digits");
  gossip::simulator network{gossip::random_regular{.nodes = 32, .degree = 4}, gossip::mlp{},
                            gossip::sgd{.rate = 0.1}, exchange};
  auto const report = network.run({.seed = 1, .batch = 32, .stop = gossip::epochs{epochs}},
                                  gossip::split(train, gossip::dirichlet{.alpha = 0.3}),
                                  gossip::accuracy{test}, gossip::consensus_distance{});
  std::cout << name << ": accuracy " << report.last.accuracy->mean << ", of the mean model "
            << *report.last.averaged_model_accuracy << ", " << report.bytes_sent / 1'000'000
            << " MB sent\n";
}

int main(int argc, char **argv) {
  double const epochs = argc > 1 ? std::atof(argv[1]) : 20;
  compare("averages with a neighbor (AD-PSGD)", gossip::ad_psgd{}, epochs);
  compare("pulls every other step", epidemic_pull{}, epochs);
  compare("pulls every eighth step", epidemic_pull{.steps = 8}, epochs);
  return 0;
}
