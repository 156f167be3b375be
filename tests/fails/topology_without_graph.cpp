// expect: gossip::simulator: the topology must have graph build(uint64_t seed) const
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  std::size_t nodes = 4;
};
#else
using mine = archetypes::topology;
#endif

using network = gossip::simulator<mine, archetypes::model, archetypes::optimizer,
                                  archetypes::exchange_in_rounds>;
auto const bytes = sizeof(network);
