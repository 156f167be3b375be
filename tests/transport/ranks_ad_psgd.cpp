// ad_psgd on many ranks.
#include <gossip/exchange/ad_psgd.hpp>

#include "ranks.hpp"

TEST_CASE("ad_psgd gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::ad_psgd{});
}
