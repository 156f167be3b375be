// expect: gossip::simulator: the backend must be serial, cpu, onednn or cuda
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct idle {
  struct worker {};
};

template <class Backend>
using demands =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                         archetypes::exchange_in_rounds, archetypes::compute_time, Backend, float>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<idle>::hold;
#else
constexpr bool met = demands<gossip::serial>::hold;
#endif
