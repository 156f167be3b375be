// expect: gossip::simulator: an option is given twice
#include <gossip/simulator/simulator.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class... Options>
using network = gossip::simulator<archetypes::topology, archetypes::model, archetypes::optimizer,
                                  archetypes::exchange_in_rounds, Options...>;

#ifdef GOSSIP_FAILS
auto const bytes = sizeof(network<gossip::numbers<double>, gossip::numbers<float>>);
#else
auto const bytes = sizeof(network<gossip::numbers<double>, gossip::cpu>);
#endif
