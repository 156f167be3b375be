// Cohorts of more nodes than a device has room for are worked on in parts, without another result.
#include <gossip/engine/device/cohort_memory.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

using namespace gossip;

namespace {

/// A device with room for some nodes of a small network.
struct narrow_device : test::recording_device {
  struct worker : test::launching_worker<op::plain_layers, test::recording_device> {
    using test::launching_worker<op::plain_layers, test::recording_device>::launching_worker;
    static constexpr std::size_t cohort_bytes = 400'000;
  };
};

template <class Model>
void check_equal(test::some_exchange const &exchange) {
  REQUIRE(cohort_memory_of<Model, float, narrow_device::worker>(70).most(12) < 6);
  sgd const heavy{.rate = 0.1, .momentum = 0.9};
  auto const whole = test::run_small_network<Model>(exchange, heavy, test::recording_device{});
  auto const parts = test::run_small_network<Model>(exchange, heavy, narrow_device{});
  CHECK(hex(parts.digest) == hex(whole.digest));
  CHECK(parts.last.loss == whole.last.loss);
  CHECK(parts.last.accuracy->mean == whole.last.accuracy->mean);
  CHECK(*parts.last.averaged_model_accuracy == *whole.last.averaged_model_accuracy);
  CHECK(parts.announced.working < whole.announced.working);
}

}  // namespace

TEST_CASE("a device without room for a cohort takes it in parts", "[engine]") {
  check_equal<test::normalised_model>(d_psgd{});
  check_equal<test::small_model>(ad_psgd{});
  check_equal<test::small_model>(all_reduce{});
}
