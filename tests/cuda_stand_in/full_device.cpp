// A device of a megabyte, for which ctest runs these alone: what does not fit is said, and nothing
// that was made before is left, which the leak sanitizer sees.
#include <gossip/backend/cuda.hpp>

#include "../catch.hpp"

using namespace gossip;

TEST_CASE("a buffer that does not fit names its bytes", "[.][cuda_stand_in][full_device]") {
  device::buffer<float> const there(1000);
  CHECK_THROWS_WITH(device::buffer<float>(1'000'000),
                    "cuda: 4000000 bytes of GPU memory are not available");
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(gossip::cuda::available_bytes() == 1'000'000 - there.bytes());
}

TEST_CASE("a context that does not fit leaves no stream and no handle",
          "[.][cuda_stand_in][full_device]") {
  gossip::cuda const backend;
  for (int k = 0; k < 2; ++k)
    CHECK_THROWS_WITH(backend.wait(), "cuda: 33554432 bytes of GPU memory are not available");
  CHECK(gossip::cuda::available_bytes() == 1'000'000);
}
