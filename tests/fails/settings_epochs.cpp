// expect: gossip::run_settings: there is no setting epochs or rounds; write .stop =
// gossip::epochs{5}
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.seed = 2, .epochs = 5});
}
#else
void run(network_type &network) {
  network.run({.seed = 2, .stop = gossip::epochs{5}});
}
#endif
