// expect: gossip::simulator: the optimizer's keeps_squares must be a static constexpr bool
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::optimizer {
  bool keeps_squares = true;
};
#else
struct mine : archetypes::optimizer {
  static constexpr bool keeps_squares = true;
};
#endif

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
