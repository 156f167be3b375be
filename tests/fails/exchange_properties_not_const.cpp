// expect: gossip::exchange: properties must be exchange_properties properties() const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  gossip::exchange_properties properties() { return {}; }
};
#else
struct mine : archetypes::exchange_in_rounds {
  gossip::exchange_properties properties() const { return {}; }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
