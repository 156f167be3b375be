// The part of the CUDA runtime that gossip calls, executed on a CPU for tests. Signatures,
// constants and error codes are the toolkit's; README.md says what is checked. Calls of several
// threads come one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#if !defined(GOSSIP_CUDA_STAND_IN)
#error "this is the CUDA runtime of tests/cuda_stand_in, which needs GOSSIP_CUDA_STAND_IN"
#endif

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorCapturedEvent = 907
};

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice
};

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaHostRegisterDefault = 0 };
enum { cudaEventDefault = 0, cudaEventDisableTiming = 2 };

namespace stand_in {

struct stream;
struct event;
struct graph;
struct replayed_graph;

/// Work of the device, with its arguments as they were when it was given.
using work = std::function<void()>;

/// While one lives no other thread is in a call of the runtime; a thread may have several.
class one_call {
 public:
  one_call();
  ~one_call();
  one_call(one_call const &) = delete;
  one_call &operator=(one_call const &) = delete;
};

/// Puts work at the end of a stream, or into the graph that the stream is captured in.
cudaError_t give(stream *to, work what);

/// Indices below count, in an order that CUDA_STAND_IN_THREADS chooses: 0 ascending, others a walk
/// with a stride that has no divisor in common with count.
class thread_order {
 public:
  explicit thread_order(std::size_t count);

  std::size_t first() const { return first_; }
  std::size_t after(std::size_t index) const {
    std::size_t const left = count_ - index;
    return stride_ < left ? index + stride_ : stride_ - left;
  }

 private:
  std::size_t count_, first_ = 0, stride_ = 1;
};

}  // namespace stand_in

using cudaStream_t = stand_in::stream *;
using cudaEvent_t = stand_in::event *;
using cudaGraph_t = stand_in::graph *;
using cudaGraphExec_t = stand_in::replayed_graph *;

struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
};

extern "C" {

char const *cudaGetErrorString(cudaError_t code);
cudaError_t cudaGetLastError();

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceSynchronize();

cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total);
cudaError_t cudaMalloc(void **to, std::size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **to, std::size_t bytes);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaMemset(void *to, int value, std::size_t bytes);
cudaError_t cudaMemcpy(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *replayed, cudaGraph_t graph,
                                          unsigned long long flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t replayed);
cudaError_t cudaGraphLaunch(cudaGraphExec_t replayed, cudaStream_t stream);

}  // extern "C"

template <class T>
cudaError_t cudaMalloc(T **to, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(to), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T **to, std::size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void **>(to), bytes);
}
