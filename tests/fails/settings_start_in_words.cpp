// expect: gossip::run_settings: start must be a std::vector<double>, a row of the model;
// gossip::read_safetensors<double> makes one of a file
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.seed = 2, .start = "mean.safetensors"});
}
#else
void run(network_type &network) {
  network.run({.seed = 2, .start = {0.5}});
}
#endif
