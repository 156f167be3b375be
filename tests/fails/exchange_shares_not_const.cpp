// expect: gossip::simulator: the exchange has data_shares that cannot be called as std::size_t
// data_shares() const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  std::size_t data_shares() { return 100; }
};
#else
struct mine : archetypes::exchange_in_rounds {
  std::size_t data_shares() const { return 100; }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
