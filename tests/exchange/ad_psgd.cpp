// AD-PSGD: the laws of exchanges, and its own fixed points.
#include <gossip/exchange/ad_psgd.hpp>

#include "conformance.hpp"

using namespace gossip::test;

TEST_CASE("ad_psgd keeps the laws of exchanges", "[exchange]") {
  check_exchange(gossip::ad_psgd{});
}
