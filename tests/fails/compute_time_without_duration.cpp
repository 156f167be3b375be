// expect: gossip::simulator: the compute times must have virtual_time duration(uint64_t seed, node
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct instantly {};

template <class Compute>
using demands =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                         archetypes::exchange_in_rounds, Compute, gossip::serial, float>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<instantly>::hold;
#else
constexpr bool met = demands<archetypes::compute_time>::hold;
#endif
