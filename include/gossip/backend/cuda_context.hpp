// The stream of a GPU backend, what it shares, and launches that are repeated as a whole.
#pragma once

#if !defined(__CUDACC__)
#error "gossip/backend/cuda_context.hpp is for nvcc; on the host the backend is gossip::openmp"
#endif

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include <gossip/backend/cuda_memory.hpp>
#include <gossip/core/error.hpp>

namespace gossip::device {

inline void check(cublasStatus_t code, char const *what) {
  if (code != CUBLAS_STATUS_SUCCESS)
    throw error(std::string("cublas: ") + what + ": " + cublasGetStatusString(code));
}

/// What a backend has done since it was made.
struct activity {
  std::size_t launches = 0;  ///< of loops, one by one
  std::size_t replays = 0;   ///< of recordings
  std::size_t uploads = 0;
  std::size_t waits = 0;  ///< of the host for the device
};

/// One stream, a cuBLAS handle and pinned memory.
class context {
 public:
  activity done;

  context() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(cublasCreate(&blas_), "create");
    check(cublasSetStream(blas_, stream_), "stream");  // before the workspace, which it resets
    workspace_ = buffer<std::byte>(std::size_t{32} << 20);
    check(cublasSetWorkspace(blas_, workspace_.data(), workspace_.bytes()), "workspace");
  }
  ~context() {
    cudaStreamSynchronize(stream_);
    cublasDestroy(blas_);
    cudaStreamDestroy(stream_);
  }
  context(context const &) = delete;
  context &operator=(context const &) = delete;

  cudaStream_t stream() const { return stream_; }
  cublasHandle_t blas() const { return blas_; }

  void upload(void *to, void const *from, std::size_t bytes) {
    ++done.uploads;
    done.waits += staging_.copy(static_cast<std::byte *>(to), static_cast<std::byte const *>(from),
                                bytes, stream_);
  }
  void download(void *to, void const *from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "download");
    wait();
  }
  void wait() {
    ++done.waits;
    check(cudaStreamSynchronize(stream_), "kernel");
  }

 private:
  buffer<std::byte> workspace_;  // of cuBLAS, so that it allocates nothing while launches are kept
  staging staging_;
  cudaStream_t stream_{};
  cublasHandle_t blas_{};
};

/// Launches kept as a CUDA graph, to be launched again together.
class recording {
 public:
  recording() = default;
  recording(recording &&other) noexcept { swap(other); }
  recording &operator=(recording &&other) noexcept {
    recording(std::move(other)).swap(*this);
    return *this;
  }
  ~recording() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }

  /// Launches what f launches, itself or by the graph of an earlier call. f is called where there
  /// is no graph yet, and every time if its launches cannot be kept.
  template <class F>
  void run(context &on, F f) {
    if (!graph_ && !refused_) record(on, f);
    if (!graph_) return f();
    ++on.done.replays;
    check(cudaGraphLaunch(graph_, on.stream()), "graph");
  }

 private:
  template <class F>
  void record(context &on, F &f) {
    check(cudaStreamBeginCapture(on.stream(), cudaStreamCaptureModeThreadLocal), "capture");
    bool complete = true;
    try {
      f();
    } catch (std::exception const &) {
      complete = false;  // what is wrong with f itself comes again without a capture
    }
    cudaGraph_t graph = nullptr;
    complete &= cudaStreamEndCapture(on.stream(), &graph) == cudaSuccess;
    if (complete && cudaGraphInstantiateWithFlags(&graph_, graph, 0) != cudaSuccess)
      graph_ = nullptr;
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();  // of a capture that failed
    refused_ = graph_ == nullptr;
  }
  void swap(recording &other) noexcept {
    std::swap(graph_, other.graph_);
    std::swap(refused_, other.refused_);
  }

  cudaGraphExec_t graph_ = nullptr;
  bool refused_ = false;
};

}  // namespace gossip::device
