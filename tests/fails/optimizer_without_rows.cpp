// expect: gossip::simulator: the optimizer must have size_t rows(bool waits) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  double rate = 0.1;
  void check() const {}
};
#else
using mine = archetypes::optimizer;
#endif

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
