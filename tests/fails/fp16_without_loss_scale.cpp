// expect: fp16 needs a model that multiplies its gradient by the task's loss_scale
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Format>
using demands = gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, float, gossip::mixed_precision<Format>>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
