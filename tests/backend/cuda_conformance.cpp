// The laws of a backend, for a GPU.
#include <gossip/backend/cuda.hpp>

#include "conformance.hpp"

TEST_CASE("cuda keeps the laws of a backend", "[gpu]") {
  gossip::test::check_backend(gossip::cuda{});
}
