// expect: gossip::simulator: the first argument cannot be read as gossip::run_settings, or the
// simulator is const
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type const &network) {
  network.run({.seed = 2});
}
#else
void run(network_type &network) {
  network.run({.seed = 2});
}
#endif
