// expect: gossip::simulator: the model has a check that cannot be called as void check() const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::model {
  void check() {}
};
#else
struct mine : archetypes::model {
  void check() const {}
};
#endif

constexpr bool met = gossip::requirements<archetypes::topology, mine, archetypes::optimizer,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
