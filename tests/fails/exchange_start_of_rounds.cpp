// expect: gossip::simulator: the exchange has on_start, which begins events, and on_round
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  void on_start(auto &plan) const { plan.train_all(); }
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
