// expect: gossip::simulator: the exchange has weights that cannot be called as mixing_matrix
// weights(graph const &) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  gossip::mixing_matrix weights(gossip::graph const &g) {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
};
#else
struct mine : archetypes::exchange_in_rounds {
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return gossip::mixing_matrix::over(g, [](auto, auto) { return 0.1; });
  }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
