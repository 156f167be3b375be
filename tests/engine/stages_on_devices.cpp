// Scalars and whole rows on a device, tested without one: the bits are those of the reference
// engine.
#include <gossip/engine/device_engine.hpp>

#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>

#include "../catch.hpp"
#include "../exchange/conformance.hpp"
#include "../exchange/edge_exchanges.hpp"
#include "../exchange/sum_exchanges.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

using namespace gossip;
using test::recording_device;

namespace {

template <class Model, class... Options>
void check_equal(test::some_exchange const &exchange, Options... options) {
  auto const run = [&](auto backend) {
    simulator network{random_regular{.nodes = 12, .degree = 3},
                      Model{},
                      sgd{.rate = 0.05, .momentum = 0.9},
                      exchange,
                      backend,
                      options...};
    return network.run(
        {.seed = 3, .batch = 70, .stop = rounds{9}, .engine = execution::reference},
        split(test::small_images(), iid{}),
        every(rounds{3}, accuracy{test::small_images(), {.nodes = 5}}, consensus_distance{}));
  };
  auto const device = run(recording_device{}), host = run(serial{});
  CHECK(hex(device.digest) == hex(host.digest));
  CHECK(device.last.loss == host.last.loss);
  CHECK(*device.last.consensus_distance == *host.last.consensus_distance);
}

}  // namespace

TEST_CASE("a device makes the scalars of the reference engine", "[engine]") {
  check_equal<test::small_model>(test::scalars_by_event{});
  check_equal<test::small_model>(test::scalars_in_rounds{});
  check_equal<test::normalised_model>(clipped_gossip{.radius = 0.05});
  check_equal<test::normalised_model>(sam_d_psgd{});
}

TEST_CASE("a device makes the scalars of the reference engine of rows of 16 bits", "[engine]") {
  check_equal<test::small_model>(test::scalars_by_event{}, numbers<float, bf16>{});
  check_equal<test::normalised_model>(test::scalars_in_rounds{}, numbers<float, fp16>{});
}

TEST_CASE("a device sums rows over nodes as the reference engine", "[engine]") {
  check_equal<test::small_model>(test::sums_of_rows{});
  check_equal<test::normalised_model>(test::local_sgd{});
  check_equal<test::small_model>(test::sums_of_rows{}, numbers<float, bf16>{});
}

TEST_CASE("a device keeps rows of edges as the reference engine", "[engine]") {
  check_equal<test::small_model>(test::edges_by_event{});
  check_equal<test::small_model>(test::clipped_letters{}, numbers<float, bf16>{});
}

TEST_CASE("a device changes whole rows as the reference engine", "[engine]") {
  check_equal<test::small_model>(test::whole_rows_by_event{});
  check_equal<test::small_model>(test::whole_rows_in_rounds{});
  check_equal<test::normalised_model>(deep_squeeze{.code = {.share = 0.1}});
}

TEST_CASE("a device changes whole rows of 16 bits as the reference engine", "[engine]") {
  check_equal<test::small_model>(test::whole_rows_by_event{}, numbers<float, bf16>{});
  check_equal<test::normalised_model>(test::whole_rows_in_rounds{}, numbers<float, fp16>{});
}
