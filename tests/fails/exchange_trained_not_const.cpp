// expect: gossip::simulator: the exchange has an on_trained that cannot be called as
// on_trained(auto &plan, node i) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  void on_trained(auto &plan, gossip::node i) { plan.train(i); }
};
#else
struct mine : archetypes::exchange_in_rounds {
  static void check(gossip::graph const &) {}
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
