// Runs of noise, in double: their norms have no floor of rounding within these rounds.
#include <string_view>

#include <gossip/backend/serial.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/observer/norm_dispersion.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>

#include "runs.hpp"

namespace dbench {

namespace {

struct keep_gini {
  std::vector<double> *all;
  void take(gossip::record const &r) const {
    if (r.mark.round == 0) return;
    for (gossip::named_number const &one : r.numbers)
      if (one.name == "norm_gini") all->push_back(one.value);
  }
};

}  // namespace

std::vector<double> gini_of(noise_run const &run) {
  std::vector<double> all;
  gossip::simulator network{known_graph{run.network},
                            run.steps,
                            gossip::sgd{.rate = 1, .momentum = run.momentum},
                            run.how,
                            gossip::serial{},
                            gossip::numbers<double>{}};
  network.run({.seed = 6, .stop = gossip::rounds{run.rounds}},
              gossip::every(gossip::rounds{1}, gossip::norm_dispersion{}, keep_gini{&all}));
  return all;
}

}  // namespace dbench
