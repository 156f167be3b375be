// expect: gossip::run_settings: topology_seed and split_seed must be whole numbers
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.topology_seed = "one"});
}
#else
void run(network_type &network) {
  network.run({.topology_seed = 1});
}
#endif
