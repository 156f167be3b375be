// expect: gossip::simulator: the exchange's node_state must be a struct with a default constructor
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  int node_state = 0;
};
#else
struct mine : archetypes::exchange_in_rounds {
  struct node_state {
    int rounds = 0;
  };
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
