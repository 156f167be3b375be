// expect: gossip::exchange: node_state holds a random engine, which would give all nodes and all
// seeds the same
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include <random>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  struct node_state {
    int coins = 0;
    std::mt19937 engine;
  };
};
#else
struct mine : archetypes::exchange_in_rounds {
  struct node_state {
    int coins = 0;
  };
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
