// expect: gossip::simulator: rows of 16 bits do not travel between ranks with devices
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct many_ranks : gossip::single_process {
  static constexpr bool spans_ranks = true;
};
struct device : gossip::serial {
  static constexpr bool on_device = true;
};

template <class... Options>
using network = gossip::simulator<archetypes::topology, archetypes::model, archetypes::optimizer,
                                  archetypes::exchange_in_rounds, Options...>;

#ifdef GOSSIP_FAILS
auto const bytes = sizeof(network<many_ranks, device, gossip::numbers<float, gossip::bf16>>);
#else
auto const bytes = sizeof(network<many_ranks, device>);
#endif
