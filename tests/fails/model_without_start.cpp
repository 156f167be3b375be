// expect: gossip::simulator: the model must have initialise(span<T> row, uint64_t seed) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
};
#else
using mine = archetypes::model;
#endif

constexpr bool met = gossip::requirements<archetypes::topology, mine, archetypes::optimizer,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
