// none on many ranks.
#include <gossip/exchange/none.hpp>

#include "ranks.hpp"

TEST_CASE("none gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::none{});
}
