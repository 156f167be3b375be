// expect: gossip::run_settings: engine must be gossip::execution::levelled or
// gossip::execution::reference
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.engine = "reference"});
}
#else
void run(network_type &network) {
  network.run({.engine = gossip::execution::reference});
}
#endif
