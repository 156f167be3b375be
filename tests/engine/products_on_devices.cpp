// Convolutions as products, as a GPU has them, on the serial backend.
#include <gossip/engine/device/engine.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "final_rows.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

using namespace gossip;
using test::recording_device;

// As in cuda_engine.cpp: sums of at most 64 float products in another order, six steps.
TEST_CASE("convolutions as products train as convolutions do", "[engine]") {
  auto const check_close = [](auto model, test::some_exchange const &exchange) {
    using model_type = decltype(model);
    sgd const momentum{.rate = 0.1, .momentum = 0.9};
    auto const device =
        test::run_small_network<model_type>(exchange, momentum, test::product_device{});
    auto const host = test::run_small_network<model_type>(exchange, momentum, serial{});
    CHECK(device.last.loss == Approx(host.last.loss).epsilon(1e-4));
    CHECK(*device.last.test_loss == Approx(*host.last.test_loss).epsilon(1e-4));
    CHECK(*device.last.consensus_distance ==
          Approx(*host.last.consensus_distance).epsilon(1e-3).margin(1e-9));
  };
  check_close(test::small_model{}, d_psgd{});
  check_close(test::normalised_model{}, d_psgd{});
  check_close(test::small_model{}, ad_psgd{});
}

// A gradient's sums have at most 36 * 64 terms: in another order they differ by some sqrt(36 * 64)
// times 2^-24 of their size, 3e-6, and so does what twenty of them move, unless a rectifier or a
// pooling window meets a tie.
TEST_CASE("parameters after twenty steps with convolutions as products are those without",
          "[engine]") {
  test::some_exchange const exchange = d_psgd{};
  sgd const heavy{.rate = 0.05, .momentum = 0.9};
  test::product_device const products;
  CHECK(test::apart_after_20_steps<test::small_model>(exchange, heavy, products) < 3e-6);
  CHECK(test::apart_after_20_steps<test::normalised_model>(exchange, heavy, products) < 3e-6);
  CHECK(test::apart_after_20_steps<test::small_model>(exchange, heavy, recording_device{}) == 0.0);
}
