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

namespace {

struct device_costs {
  std::size_t waits = 0;
  rank_traffic traffic;
};

template <class Exchange>
device_costs costs_of(Exchange exchange, std::uint64_t count) {
  simulator network{ring{.nodes = 24},
                    test::tiny_classifier{},
                    sgd{.rate = 0.1, .momentum = 0.9},
                    exchange,
                    test::late_device{},
                    test::ranks_with_devices{test::all_ranks(), false}};
  test::late_device::waits = 0;
  auto const report =
      network.run({.batch = 5, .stop = rounds{count}}, split(test::tiny_images(), iid{}));
  return {test::late_device::waits, report.traffic};
}

}  // namespace

// Eight rounds are two windows.
TEST_CASE("ranks wait for a device once a window, and a round's rows come down in one copy",
          "[ranks]") {
  std::size_t const ranks = test::all_ranks().size();
  auto const few = costs_of(d_psgd{}, 8), many = costs_of(d_psgd{}, 16);
  CHECK(many.waits - few.waits == 2);
  CHECK(many.traffic.copies_down == (ranks > 1 ? 16 * ranks : 0));
  CHECK(many.traffic.bytes_sent == many.traffic.planned_bytes);
  CHECK(costs_of(ad_psgd{}, 16).waits - costs_of(ad_psgd{}, 8).waits == 2);
}

TEST_CASE("ad_psgd gives the bits of one process on ranks with devices", "[ranks]") {
  test::check_devices(ad_psgd{});
}
