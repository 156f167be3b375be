// D-PSGD: the laws of exchanges in both orders and with both barriers.
#include <gossip/exchange/d_psgd.hpp>

#include "conformance.hpp"

using namespace gossip::test;
using gossip::barrier;
using gossip::mixing_order;

TEST_CASE("d_psgd keeps the laws of exchanges", "[exchange]") {
  for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine})
    for (auto const wait : {barrier::neighbors, barrier::global})
      check_exchange(gossip::d_psgd<>{.order = order, .wait = wait});
}
