// expect: gossip::run_settings: statistics must be gossip::statistics_mode::mixed, own or
// reestimated
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.statistics = true});
}
#else
void run(network_type &network) {
  network.run({.statistics = gossip::statistics_mode::own});
}
#endif
