// Batches loaded on a GPU against those of the host, bit for bit.
#include <gossip/backend/cuda.hpp>

#include "../catch.hpp"
#include "loading.hpp"

using namespace gossip;

TEST_CASE("the GPU loads the bits that the host loads", "[gpu]") {
  gossip::cuda const backend;
  for (dataset const &data : test::variants_of_small_sets()) {
    CHECK(test::load_on_device<true>(data, backend) == test::load_on_host<true>(data));
    CHECK(test::load_on_device<false>(data, backend) == test::load_on_host<false>(data));
  }
}
