// expect: gossip::run_settings: interrupt must be the address of a std::atomic<bool>: .interrupt =
// &flag
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

using network_type = gossip::simulator<archetypes::topology, archetypes::model,
                                       archetypes::optimizer, archetypes::exchange_in_rounds>;

#ifdef GOSSIP_FAILS
void run(network_type &network, std::atomic<bool> &flag) {
  network.run({.interrupt = flag});
}
#else
void run(network_type &network, std::atomic<bool> &flag) {
  network.run({.interrupt = &flag});
}
#endif
