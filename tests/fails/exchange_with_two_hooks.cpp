// expect: gossip::simulator: the exchange has on_round and on_trained; it must have one of them
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  void on_round(auto &plan, gossip::round_number) const { plan.train_all(); }
  void on_trained(auto &plan, gossip::node i) const { plan.train(i); }
};
#else
using mine = archetypes::exchange_in_rounds;
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
