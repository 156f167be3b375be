// expect: gossip::run_settings: there is no field threads; threads are a member of the backend,
// an option of the simulator
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.threads = 4});
}
#else
void run(network_type &network) {
  network.run({});
}
#endif
