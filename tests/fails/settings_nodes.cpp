// expect: gossip::run_settings: there is no field nodes; nodes are a member of the topology:
// gossip::ring{.nodes = 16}
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.seed = 2, .nodes = 4});
}
#else
void run(network_type &network) {
  network.run({.seed = 2});
}
#endif
