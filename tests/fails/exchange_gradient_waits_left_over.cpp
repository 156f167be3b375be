// expect: gossip::exchange: gradient_waits is a property now; write static constexpr
// gossip::exchange_properties
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  static constexpr bool gradient_waits() { return false; }
};
#else
struct mine : archetypes::exchange_in_rounds {
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
