// expect: gossip::simulator: the exchange must have on_round(auto &plan, round_number k) const or
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  void on_rounds(auto &plan, gossip::round_number) const { plan.train_all(); }  // misspelled
};
#else
using mine = archetypes::exchange_in_rounds;
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
