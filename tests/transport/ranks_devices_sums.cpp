// Exchanges that add up gradients or nothing on many ranks that have a device each.
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/none.hpp>

#include "devices.hpp"

using namespace gossip;

TEST_CASE("all_reduce gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(all_reduce{});
}

TEST_CASE("none gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(none{});
}
