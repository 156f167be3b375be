// expect: gossip::simulator: the exchange has an on_start that cannot be called as on_start(auto
// &plan) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_by_events {
  void on_start(auto &plan) { plan.train_all(); }
};
#else
struct mine : archetypes::exchange_by_events {
  void on_start(auto &plan) const { plan.train_all(); }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
