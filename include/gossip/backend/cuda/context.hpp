// The stream of a GPU backend, what it shares, and launches that are repeated as a whole.
#pragma once

#if !defined(__CUDACC__) && !defined(GOSSIP_CUDA_STAND_IN)  // of the tests
#error "gossip/backend/cuda/context.hpp is for nvcc; on the host the backend is gossip::cpu"
#endif

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <gossip/backend/cuda/memory.hpp>
#include <gossip/core/error.hpp>

namespace gossip::device {

inline void check(cublasStatus_t code, char const *what) {
  if (code != CUBLAS_STATUS_SUCCESS)
    throw error(std::string("cublas: ") + what + ": " + cublasGetStatusString(code));
}

/// Counters of a backend since its construction.
struct activity {
  std::size_t launches = 0;  ///< of loops, one by one
  std::size_t replays = 0;   ///< of recordings
  std::size_t uploads = 0;
  std::size_t waits = 0;  ///< of the host for the device
};

/// One stream, a cuBLAS handle and pinned memory; made at first use, on the GPU that is the current
/// one then, which becomes that of every thread that uses them.
class context {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  ///< of cuBLAS

  activity done;

  /// Makes a GPU the current one of this thread, unless this is in use on another already.
  void choose(int gpu) {
    if (!parts_) make_current(gpu);
  }

  cudaStream_t stream() { return parts().stream; }
  cublasHandle_t blas() { return parts().blas; }

  void upload(void *to, void const *from, std::size_t bytes) {
    ++done.uploads;
    done.waits += parts().pinned.copy(static_cast<std::byte *>(to),
                                      static_cast<std::byte const *>(from), bytes, stream());
  }
  void download(void *to, void const *from, std::size_t bytes) {
    begin_copy(to, from, bytes, cudaMemcpyDeviceToHost);
    wait();
  }
  void begin_copy(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind) {
    check(cudaMemcpyAsync(to, from, bytes, kind, stream()), "copy");
  }
  void wait() {
    ++done.waits;
    check(cudaStreamSynchronize(stream()), "kernel");
  }

 private:
  struct parts_of {
    int gpu = 0;
    buffer<std::byte> workspace;  // of cuBLAS, so that it allocates nothing while launches are kept
    staging pinned;
    cudaStream_t stream{};
    cublasHandle_t blas{};

    /// Complete before anything is made, so that what was is given back if the rest fails.
    parts_of() : parts_of(nullptr) {
      check(cudaGetDevice(&gpu), "current GPU");
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
      check(cublasCreate(&blas), "create");
      check(cublasSetStream(blas, stream), "stream");  // before the workspace, which it resets
      workspace = buffer<std::byte>(workspace_bytes);
      check(cublasSetWorkspace(blas, workspace.data(), workspace.bytes()), "workspace");
    }
    ~parts_of() {
      cudaStreamSynchronize(stream);
      if (blas) cublasDestroy(blas);
      if (stream) cudaStreamDestroy(stream);
    }
    parts_of(parts_of const &) = delete;
    parts_of &operator=(parts_of const &) = delete;

   private:
    explicit parts_of(std::nullptr_t) {}
  };

  parts_of &parts() {
    if (!parts_) {
      parts_ = std::make_unique<parts_of>();
      current() = parts_->gpu;
    }
    if (current() != parts_->gpu) make_current(parts_->gpu);
    return *parts_;
  }

  static void make_current(int gpu) {
    check(cudaSetDevice(gpu), "choice of a GPU");
    current() = gpu;
  }
  /// The GPU that contexts have made the current one of this thread; -1: none.
  static int &current() {
    thread_local int gpu = -1;
    return gpu;
  }

  std::unique_ptr<parts_of> parts_;
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
      complete = false;  // an error of f itself comes again without a capture
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
