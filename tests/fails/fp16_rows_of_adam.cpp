// expect: the optimizer keeps squares of gradients
#include <gossip/backend/serial.hpp>
#include <gossip/optimizer/adam.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

template <class Row>
using demands = gossip::requirements<archetypes::topology, archetypes::model, gossip::adam,
                                     archetypes::exchange_in_rounds, archetypes::compute_time,
                                     gossip::serial, float, gossip::full_precision, Row>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<gossip::fp16>::hold;
#else
constexpr bool met = demands<gossip::bf16>::hold;
#endif
