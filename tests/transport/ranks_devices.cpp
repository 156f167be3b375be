// Exchanges on many ranks that have a device each.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>

#include "devices.hpp"

using namespace gossip;

TEST_CASE("d_psgd gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(d_psgd{});
}

TEST_CASE("adapt then combine gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(d_psgd{.order = mixing_order::adapt_then_combine});
}

TEST_CASE("ad_psgd gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(ad_psgd{});
}

TEST_CASE("all_reduce gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(all_reduce{});
}

TEST_CASE("none gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(none{});
}
