// expect: designator order for field
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.stop = gossip::rounds{5}, .seed = 2});
}
#else
void run(network_type &network) {
  network.run({.seed = 2, .stop = gossip::rounds{5}});
}
#endif
