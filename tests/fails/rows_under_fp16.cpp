// expect: gossip::simulator: an exchange with rows of its own needs gradients that cannot overflow
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

struct scaled : archetypes::model {
  static constexpr bool scales_loss = true;
};

template <class Format>
using demands = gossip::requirements<archetypes::topology, scaled, archetypes::optimizer,
                                     gossip::gradient_tracking<>, archetypes::compute_time,
                                     gossip::serial, float, gossip::mixed_precision<Format>>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
