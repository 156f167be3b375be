// expect: gossip::simulator: the optimizer must have a member rate
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  std::size_t rows(bool) const { return 0; }
  void check() const {}
};
#else
using mine = archetypes::optimizer;
#endif

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
