// expect: gossip::simulator: the optimizer has the form of a rule, with absorb and a constant rows,
// and no step
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t rows = 1;
  double rate = 0.1;
  void absorb(auto gradient, auto, auto *row) const { row[0] = gradient; }
};
#else
using mine = archetypes::optimizer;
#endif

constexpr bool met = gossip::requirements<archetypes::topology, archetypes::model, mine,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
