// Faults that the stand-in must see: work that is late, captures that are invalid, arguments that
// are wrong.
#include <cublas_v2.h>
#include <sys/wait.h>
#include <thrust/for_each.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "runtime/settings.hpp"

namespace {

struct set_to {
  float *to;
  float value;
  constexpr void operator()(std::size_t i) const { to[i] = value; }
};

void launch(cudaStream_t on, std::size_t count, set_to f) {
  thrust::for_each_n(thrust::cuda::par_nosync.on(on), thrust::counting_iterator<std::size_t>(0),
                     count, f);
}

/// A stream, and eight numbers of each kind of memory.
struct bench {
  static constexpr std::size_t count = 8, bytes = count * sizeof(float);
  cudaStream_t stream = nullptr;
  float *device = nullptr, *pinned = nullptr;

  bench() {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&device, bytes);
    cudaMallocHost(&pinned, bytes);
    for (std::size_t i = 0; i < count; ++i) pinned[i] = 0.0f;
  }
  ~bench() {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(pinned);
    cudaGetLastError();
  }
  bench(bench const &) = delete;
  bench &operator=(bench const &) = delete;

  std::vector<float> downloaded() const {
    std::vector<float> got(count);
    cudaMemcpyAsync(got.data(), device, bytes, cudaMemcpyDeviceToHost, stream);
    return got;
  }
};

/// Whether a process that does this ends as a failure.
template <class F>
bool dies(F f) {
  pid_t const child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(0);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

/// The code that f() has in a capture, which must then be invalid.
template <class F>
cudaError_t code_in_capture(bench const &b, F f) {
  CHECK(cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  cudaError_t const code = f();
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(b.stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  return code;
}

}  // namespace

TEST_CASE("work waits until somebody waits for it", "[cuda_stand_in]") {
  bench const b;
  float const before = stand_in::eager() ? 1.0f : 0.0f;
  launch(b.stream, 1, {b.pinned, 1.0f});
  CHECK(b.pinned[0] == before);
  cudaStreamSynchronize(b.stream);
  CHECK(b.pinned[0] == 1.0f);

  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  launch(b.stream, 1, {b.pinned + 1, 1.0f});
  cudaEventRecord(event, b.stream);
  launch(b.stream, 1, {b.pinned + 2, 1.0f});
  for (int k = 0; k < 3; ++k)
    CHECK(cudaEventQuery(event) == (stand_in::eager() ? cudaSuccess : cudaErrorNotReady));
  CHECK(b.pinned[1] == before);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CHECK(b.pinned[1] == 1.0f);
  CHECK(b.pinned[2] == before);
  cudaEventDestroy(event);

  float *more = nullptr;
  cudaMalloc(&more, b.bytes);
  CHECK(b.pinned[2] == before);
  cudaFree(more);
  CHECK(b.pinned[2] == 1.0f);
}

TEST_CASE("pinned memory is read late, other memory at once", "[cuda_stand_in]") {
  bench const b;
  std::vector<float> pageable(b.count, 1.0f);
  cudaMemcpyAsync(b.device, pageable.data(), b.bytes, cudaMemcpyHostToDevice, b.stream);
  pageable.assign(b.count, 2.0f);
  CHECK(b.downloaded() == std::vector<float>(b.count, 1.0f));

  cudaMemcpyAsync(b.device, b.pinned, b.bytes, cudaMemcpyHostToDevice, b.stream);
  for (std::size_t i = 0; i < b.count; ++i) b.pinned[i] = 3.0f;
  CHECK(b.downloaded() == std::vector<float>(b.count, stand_in::eager() ? 0.0f : 3.0f));
}

TEST_CASE("memory that is registered is pinned until it no longer is", "[cuda_stand_in]") {
  bench const b;
  std::vector<float> own(b.count, 1.0f);
  auto const read = [&](float later) {
    own.assign(b.count, 1.0f);
    cudaMemcpyAsync(b.device, own.data(), b.bytes, cudaMemcpyHostToDevice, b.stream);
    own.assign(b.count, later);
    return b.downloaded()[0];
  };
  CHECK(cudaHostRegister(own.data(), b.bytes, cudaHostRegisterDefault) == cudaSuccess);
  CHECK(read(2.0f) == (stand_in::eager() ? 1.0f : 2.0f));
  CHECK(dies([&] { cudaHostRegister(own.data() + 1, 4, cudaHostRegisterDefault); }));
  CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
  CHECK(read(3.0f) == 1.0f);
  CHECK(dies([&] { cudaHostUnregister(own.data()); }));
  CHECK(cudaHostRegister(b.device, b.bytes, cudaHostRegisterDefault) == cudaErrorInvalidValue);
}

TEST_CASE("threads that call at the same time have their streams", "[cuda_stand_in]") {
  std::vector<float> sums(4, 0.0f);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&sums, t] {
      for (int k = 0; k < 100; ++k) {
        bench const b;
        launch(b.stream, b.count, {b.device, static_cast<float>(t)});
        for (float const x : b.downloaded()) sums[t] += x;
      }
    });
  for (std::thread &one : threads) one.join();
  for (std::size_t t = 0; t < sums.size(); ++t) CHECK(sums[t] == static_cast<float>(800 * t));
}

TEST_CASE("fresh memory of a device holds no number", "[cuda_stand_in]") {
  bench const b;
  for (float const x : b.downloaded()) CHECK(std::isnan(x));
}

TEST_CASE("the default stream is not waited for by others", "[cuda_stand_in]") {
  bench const b;
  cudaMemset(b.device, 0, b.bytes);
  CHECK(std::isnan(b.downloaded()[0]) == !stand_in::eager());
  cudaStreamSynchronize(nullptr);
  CHECK(b.downloaded() == std::vector<float>(b.count, 0.0f));
}

TEST_CASE("a graph repeats the arguments of its capture", "[cuda_stand_in]") {
  bench const b;
  set_to f{b.pinned, 1.0f};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replayed = nullptr;
  cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal);
  launch(b.stream, b.count, f);
  cudaMemcpyAsync(b.device, b.pinned, b.bytes, cudaMemcpyHostToDevice, b.stream);
  REQUIRE(cudaStreamEndCapture(b.stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiateWithFlags(&replayed, graph, 0) == cudaSuccess);
  cudaGraphDestroy(graph);
  cudaStreamSynchronize(b.stream);
  CHECK(b.pinned[0] == 0.0f);  // a capture does nothing
  f.value = 2.0f;
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < b.count; ++i) b.pinned[i] = 0.0f;
    cudaGraphLaunch(replayed, b.stream);
    CHECK(b.downloaded() == std::vector<float>(b.count, 1.0f));
  }
  cudaGraphLaunch(replayed, b.stream);
  cudaGraphExecDestroy(replayed);  // under way, if streams are late
}

TEST_CASE("a capture is invalid after what may wait, allocate or use the default stream",
          "[cuda_stand_in]") {
  bench const b;
  float *p = nullptr;
  float here[bench::count] = {};
  auto const refused = cudaErrorStreamCaptureUnsupported;
  CHECK(code_in_capture(b, [&] { return cudaStreamSynchronize(b.stream); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaStreamSynchronize(nullptr); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaDeviceSynchronize(); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaMalloc(&p, 4); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaMallocHost(&p, 4); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaFree(b.device); }) == refused);
  CHECK(code_in_capture(b, [&] { return cudaMemset(b.device, 0, b.bytes); }) == refused);
  CHECK(code_in_capture(b, [&] {
          return cudaMemcpy(b.device, b.pinned, b.bytes, cudaMemcpyHostToDevice);
        }) == refused);
  CHECK(code_in_capture(b, [&] {
          return cudaMemcpyAsync(here, b.device, b.bytes, cudaMemcpyDeviceToHost, b.stream);
        }) == refused);
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  CHECK(code_in_capture(b, [&] { return cudaEventQuery(event); }) == refused);
  CHECK(code_in_capture(b, [&] {
          cudaEventRecord(event, b.stream);
          return cudaEventSynchronize(event);
        }) == cudaErrorCapturedEvent);
  cudaEventDestroy(event);
  CHECK(code_in_capture(b, [&] {
          cudaStreamSynchronize(b.stream);
          return cudaMemcpyAsync(b.device, b.pinned, b.bytes, cudaMemcpyHostToDevice, b.stream);
        }) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("copies are held to who owns the memory and how much", "[cuda_stand_in]") {
  bench const b;
  float here[bench::count] = {};
  auto const copy = [&](void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind) {
    return [=, &b] { cudaMemcpyAsync(to, from, bytes, kind, b.stream); };
  };
  CHECK_FALSE(dies(copy(b.device, here, b.bytes, cudaMemcpyHostToDevice)));
  CHECK_FALSE(dies(copy(b.pinned, b.device, b.bytes, cudaMemcpyDeviceToHost)));
  CHECK(dies(copy(here, b.device, b.bytes, cudaMemcpyHostToDevice)));
  CHECK(dies(copy(b.device, here, b.bytes, cudaMemcpyDeviceToHost)));
  CHECK(dies(copy(here, b.pinned, b.bytes, cudaMemcpyDeviceToHost)));
  CHECK(dies(copy(b.device + 1, here, b.bytes, cudaMemcpyHostToDevice)));
  CHECK(dies(copy(b.device, b.pinned + 1, b.bytes, cudaMemcpyHostToDevice)));
  CHECK(dies([&] { cudaMemset(b.device, 0, b.bytes + 1); }));
  CHECK(dies([&] { cudaMemset(b.pinned, 0, b.bytes); }));
  CHECK(dies([&] { cudaFree(b.pinned); }));
  CHECK(dies([&] { cudaFree(b.device), cudaFree(b.device); }));
}

TEST_CASE("products are held to their sizes", "[cuda_stand_in]") {
  bench const b;  // room for two products of 2 x 2
  cublasHandle_t blas = nullptr;
  cublasCreate(&blas);
  cublasSetStream(blas, b.stream);
  float *out = nullptr;
  cudaMalloc(&out, b.bytes);
  launch(b.stream, b.count, {b.device, 1.0f});
  float const one = 1, zero = 0;
  auto const product = [&](float *to, int lda, long long stride, int count,
                           cudaDataType type = CUDA_R_32F) {
    return cublasGemmStridedBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, b.device, type,
                                      lda, stride, b.device, CUDA_R_32F, 2, stride, &zero, to,
                                      CUDA_R_32F, 2, stride, count, CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT);
  };
  CHECK(product(out, 2, 4, 2) == CUBLAS_STATUS_SUCCESS);
  std::vector<float> got(b.count);
  cudaMemcpyAsync(got.data(), out, b.bytes, cudaMemcpyDeviceToHost, b.stream);
  CHECK(got == std::vector<float>(b.count, 2.0f));
  CHECK(product(out, 2, 4, 2, CUDA_R_64F) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(dies([&] { product(out, 1, 4, 1); }));
  CHECK(dies([&] { product(out, 7, 4, 1); }));       // beyond A
  CHECK(dies([&] { product(out, 2, 4, 3); }));       // a third product
  CHECK(dies([&] { product(out, 2, 3, 2); }));       // outputs overlap
  CHECK(dies([&] { product(b.pinned, 2, 4, 1); }));  // of the host

  cudaStreamBeginCapture(b.stream, cudaStreamCaptureModeThreadLocal);
  CHECK(product(out, 2, 4, 2) == CUBLAS_STATUS_EXECUTION_FAILED);  // allocates a workspace
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(b.stream, &graph) == cudaErrorStreamCaptureInvalidated);
  cublasDestroy(blas);
  cudaFree(out);
}

#if defined(__SANITIZE_ADDRESS__)
TEST_CASE("who uses memory that is not theirs, or no more, is seen", "[cuda_stand_in]") {
  bench const b;
  auto const finished = [&](auto f) { return [=, &b] { f(), cudaStreamSynchronize(b.stream); }; };
  CHECK(dies(finished([&] { launch(b.stream, b.count + 1, {b.device, 1.0f}); })));
  CHECK(dies(finished([&] {
    launch(b.stream, b.count, {b.pinned, 1.0f});
    if (stand_in::eager()) cudaStreamSynchronize(b.stream), b.pinned[b.count] = 0;
    cudaFreeHost(b.pinned);
  })));
  if (stand_in::eager()) return;  // the device's memory is the host's then
  CHECK(dies([&] { b.device[0] = 1.0f; }));
}
#endif

TEST_CASE("every thread of a kernel has its turn once", "[cuda_stand_in]") {
  for (std::size_t const count : {1, 2, 3, 17, 512, 1000}) {
    std::vector<int> turns(count, 0);
    stand_in::thread_order const order(count);
    std::size_t index = order.first();
    for (std::size_t k = 0; k < count; ++k, index = order.after(index)) ++turns.at(index);
    CHECK(turns == std::vector<int>(count, 1));
  }
}

TEST_CASE("memory of a device has an end", "[cuda_stand_in]") {
  std::size_t before = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  float *p = nullptr, *q = nullptr;
  CHECK(cudaMalloc(&p, 1024) == cudaSuccess);
  cudaMemGetInfo(&after, &total);
  CHECK(before - after == 1024);
  CHECK(cudaMalloc(&q, total) == cudaErrorMemoryAllocation);
  CHECK(q == nullptr);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  cudaFree(p);
}
