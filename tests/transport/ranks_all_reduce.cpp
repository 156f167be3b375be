// all_reduce on many ranks.
#include <gossip/exchange/all_reduce.hpp>

#include "ranks.hpp"

TEST_CASE("all_reduce gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::all_reduce{});
}
