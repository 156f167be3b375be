// Every call of the CUDA runtime that may make the host wait, counted: the linker puts these
// functions in place of the runtime's (tests/cuda.cmake).
#include <cuda_runtime.h>

#include <cstddef>

#include <gossip/backend/cuda.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/simulator/any_exchange.hpp>

#include "../catch.hpp"
#include "small_network.hpp"

using namespace gossip;

namespace {

struct runtime_calls {
  std::size_t waits = 0, allocations = 0;
};
runtime_calls called;

}  // namespace

extern "C" {

cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  ++called.waits;
  return __real_cudaStreamSynchronize(stream);
}
cudaError_t __real_cudaEventSynchronize(cudaEvent_t event);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t event) {
  ++called.waits;
  return __real_cudaEventSynchronize(event);
}
cudaError_t __real_cudaDeviceSynchronize();
cudaError_t __wrap_cudaDeviceSynchronize() {
  ++called.waits;
  return __real_cudaDeviceSynchronize();
}
cudaError_t __real_cudaMemcpy(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind) {
  ++called.waits;
  return __real_cudaMemcpy(to, from, bytes, kind);
}
cudaError_t __real_cudaMemset(void *to, int value, std::size_t bytes);
cudaError_t __wrap_cudaMemset(void *to, int value, std::size_t bytes) {
  ++called.waits;
  return __real_cudaMemset(to, value, bytes);
}
cudaError_t __real_cudaMalloc(void **to, std::size_t bytes);
cudaError_t __wrap_cudaMalloc(void **to, std::size_t bytes) {
  ++called.allocations;
  return __real_cudaMalloc(to, bytes);
}
cudaError_t __real_cudaFree(void *memory);
cudaError_t __wrap_cudaFree(void *memory) {
  ++called.allocations;
  return __real_cudaFree(memory);
}

}  // extern "C"

namespace {

struct run_cost {
  runtime_calls of_runtime;
  device::activity of_backend;
};

run_cost cost_of(std::uint64_t count, any_exchange const &exchange) {
  gossip::cuda const backend;
  simulator network{random_regular{.nodes = 12, .degree = 3}, test::normalised_model{},
                    sgd{.rate = 0.1, .momentum = 0.9}, exchange, backend};
  runtime_calls const before = called;
  device::activity const done = backend.context->done;
  network.run({.seed = 3, .batch = 16, .stop = rounds{count}}, split(test::small_images(), iid{}));
  auto const &now = backend.context->done;
  return {{called.waits - before.waits, called.allocations - before.allocations},
          {now.launches - done.launches, now.replays - done.replays, now.uploads - done.uploads,
           now.waits - done.waits}};
}

}  // namespace

// Eight rounds are two windows.
TEST_CASE("the host waits for a GPU once a window and at no other place", "[gpu]") {
  runtime_calls const before = called;
  gossip::cuda{}.wait();
  REQUIRE(called.waits > before.waits);  // or nothing is counted
  REQUIRE(called.allocations > before.allocations);

  auto const few = cost_of(8, d_psgd{}), many = cost_of(16, d_psgd{});
  CHECK(many.of_runtime.waits - few.of_runtime.waits == 2);
  CHECK(many.of_backend.waits - few.of_backend.waits == 2);
  CHECK(many.of_runtime.allocations == few.of_runtime.allocations);
  CHECK(many.of_backend.replays - few.of_backend.replays == 8 * 2);
  CHECK(many.of_backend.launches - few.of_backend.launches == 8 * (3 + 1));

  auto const some = cost_of(8, ad_psgd{}), more = cost_of(16, ad_psgd{});
  CHECK(more.of_runtime.waits - some.of_runtime.waits == 2);
  CHECK(more.of_runtime.allocations == some.of_runtime.allocations);
}
