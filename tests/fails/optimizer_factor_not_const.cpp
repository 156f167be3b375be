// expect: gossip::simulator: the optimizer has a factor that cannot be called as double
// factor(double epoch) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::optimizer {
  double factor(double) { return 1.0; }
};
#else
struct mine : archetypes::optimizer {
  double factor(double) const { return 1.0; }
};
#endif

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
