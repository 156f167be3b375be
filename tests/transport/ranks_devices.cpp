// The library's exchanges on many ranks that have a device each.
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

TEST_CASE("all_reduce gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(all_reduce{});
}

TEST_CASE("none gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(none{});
}

// Eight rounds are two windows.
TEST_CASE("ranks wait for a device once a window, and a round's rows come down in one copy",
          "[ranks]") {
  std::size_t const ranks = test::all_ranks().size();
  auto const few = test::costs_of(d_psgd{}, 8), many = test::costs_of(d_psgd{}, 16);
  CHECK(many.waits - few.waits == 2);
  CHECK(many.traffic.copies_down == (ranks > 1 ? 16 * ranks : 0));
  CHECK(many.traffic.bytes_sent == many.traffic.planned_bytes);
  CHECK(test::costs_of(ad_psgd{}, 16).waits - test::costs_of(ad_psgd{}, 8).waits == 2);
}

TEST_CASE("ad_psgd gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(ad_psgd{});
}
