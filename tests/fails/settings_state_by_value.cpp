// expect: gossip::run_settings: state must be the address of a gossip::named_state: .state = &saved
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network, gossip::named_state const &saved) {
  network.run({.state = saved});
}
#else
void run(network_type &network, gossip::named_state const &saved) {
  network.run({.state = &saved});
}
#endif
