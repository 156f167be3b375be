// expect: gossip::run_settings: stop must have a unit: .stop = gossip::epochs{5} or .stop =
// gossip::rounds{5}
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.dry_run({.stop = 5}, {});
}
#else
void run(network_type &network) {
  network.dry_run({.stop = gossip::rounds{5}}, {});
}
#endif
