// expect: gossip::simulator: the model must declare static constexpr size_t parameters
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine {
  static constexpr bool learns_from_samples = false;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T>, std::uint64_t) const {}
};
#else
using mine = archetypes::model;
#endif

constexpr bool met = gossip::requirements<archetypes::topology, mine, archetypes::optimizer,
                                          archetypes::exchange_in_rounds, archetypes::compute_time,
                                          gossip::serial, float>::hold;
