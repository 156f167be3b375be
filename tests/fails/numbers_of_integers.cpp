// expect: gossip::simulator: numbers must be float or double
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Number>
using demands = gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, Number>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<int>::hold;
#else
constexpr bool met = demands<double>::hold;
#endif
