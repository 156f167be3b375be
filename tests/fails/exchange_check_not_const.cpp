// expect: gossip::simulator: the exchange has a check that cannot be called as void check(graph
// const &) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  void check(gossip::graph const &) {}
};
#else
struct mine : archetypes::exchange_in_rounds {
  void check(gossip::graph const &) const {}
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
