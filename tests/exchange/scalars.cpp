// Scalars of rows: the laws for exchanges that use them in every way.
#include "laws.hpp"
#include "scalar_exchanges.hpp"

using namespace gossip::test;

TEST_CASE("scalars between writes of rows keep the laws of exchanges", "[exchange]") {
  check_exchange(scalars_by_event{}, {.keeps_mean = false, .reaches_mean = false});
  check_kind(scalars_by_event{});
}

TEST_CASE("scalars before and behind mixtures keep the laws of exchanges", "[exchange]") {
  check_exchange(scalars_in_rounds{}, {.keeps_mean = false, .reaches_mean = false});
}
