// expect: gossip::run_settings: there is no setting learning_rate or lr; the rate is a member of
// the optimizer: gossip::sgd{.rate = 0.1}
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network) {
  network.run({.learning_rate = 0.1});
}
#else
void run(network_type &network) {
  network.run({.seed = 2});
}
#endif
