// expect: gossip::run_settings: there is no setting batch_size; write .batch
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.batch_size = 32});
}
#else
void run(network_type &network) {
  network.run({.batch = 32});
}
#endif
