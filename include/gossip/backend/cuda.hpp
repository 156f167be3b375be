// The device backend: rows in GPU memory, loops by Thrust, matrix products by cuBLAS over all nodes
// of a cohort at once. One stream; nothing waits but download().
#pragma once

#if !defined(__CUDACC__)
#error "gossip/backend/cuda.hpp is for nvcc; on the host the backend is gossip::openmp"
#endif

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/op/gemm_shape.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/plain_layers.hpp>

namespace gossip {

namespace device {

inline void check(cudaError_t code, char const *what) {
  if (code != cudaSuccess)
    throw error(std::string("cuda: ") + what + ": " + cudaGetErrorString(code));
}

inline void check(cublasStatus_t code, char const *what) {
  if (code != CUBLAS_STATUS_SUCCESS)
    throw error(std::string("cublas: ") + what + ": " + cublasGetStatusString(code));
}

/// Owns zeroed numbers in GPU memory.
template <class T>
class buffer {
 public:
  buffer() = default;
  explicit buffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (cudaMalloc(&data_, bytes()) != cudaSuccess) {
      cudaGetLastError();
      throw error("cuda: " + std::to_string(bytes()) + " bytes of GPU memory are not available");
    }
    check(cudaMemset(data_, 0, bytes()), "memset");
    check(cudaStreamSynchronize(nullptr), "memset");  // our own stream does not wait for it
  }
  buffer(buffer &&other) noexcept { swap(other); }
  buffer &operator=(buffer &&other) noexcept {
    buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~buffer() { cudaFree(data_); }

  T *data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  void swap(buffer &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// The stream and the cuBLAS handle of a backend.
class context {
 public:
  context() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
    check(cublasCreate(&blas_), "create");
    check(cublasSetStream(blas_, stream_), "stream");
    check(cublasSetMathMode(blas_, CUBLAS_PEDANTIC_MATH), "math mode");
  }
  ~context() {
    cublasDestroy(blas_);
    cudaStreamDestroy(stream_);
  }
  context(context const &) = delete;
  context &operator=(context const &) = delete;

  cudaStream_t stream() const { return stream_; }
  cublasHandle_t blas() const { return blas_; }

 private:
  cudaStream_t stream_{};
  cublasHandle_t blas_{};
};

/// Turns one index into (node, row, lane), lanes fastest.
template <class F>
struct by_node_row_lane {
  std::size_t rows, lanes;
  F f;

  constexpr void operator()(std::size_t index) const {
    f(index / lanes / rows, index / lanes % rows, index % lanes);
  }
};

}  // namespace device

/// One GPU: the current device.
class cuda {
 public:
  static constexpr char const *name = "cuda";
  static constexpr bool on_device = true;

  cuda() : context_(std::make_shared<device::context>()) {}

  template <class T>
  using buffer = device::buffer<T>;

  /// Whether there is a GPU to run on.
  static bool available() {
    int count = 0;
    bool const found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
    cudaGetLastError();
    return found;
  }

  /// f(index) for every index below count, on the device, without waiting.
  template <class F>
  void launch(std::size_t count, F f) const {
    thrust::for_each_n(thrust::cuda::par_nosync.on(context_->stream()),
                       thrust::counting_iterator<std::size_t>(0), count, f);
  }

  /// Copies to the device, in stream order; `from` may be reused at once.
  template <class T>
  void upload(T *to, T const *from, std::size_t count) const {
    device::check(
        cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, context_->stream()),
        "upload");
    wait();
  }

  /// Copies to the host and waits for it, and so for everything launched before.
  template <class T>
  void download(T *to, T const *from, std::size_t count) const {
    device::check(
        cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, context_->stream()),
        "download");
    wait();
  }

  void wait() const { device::check(cudaStreamSynchronize(context_->stream()), "kernel"); }

  /// Bytes of GPU memory that are free.
  static std::size_t available_bytes() {
    std::size_t free = 0, total = 0;
    device::check(cudaMemGetInfo(&free, &total), "memory");
    return free;
  }

  class worker;

  static constexpr std::size_t workers() { return 1; }

  struct session {};

 private:
  std::shared_ptr<device::context> context_;
};

/// What a model runs its layers on: the whole device.
class cuda::worker : public op::plain_layers<cuda::worker> {
 public:
  static constexpr std::size_t lane_step = 1;

  explicit worker(cuda const &backend) : backend_(backend) {}

  template <class F>
  void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
    backend_.launch(k * rows * lanes, device::by_node_row_lane<F>{rows, lanes, f});
  }

  /// Row-major products are column-major ones with the operands changed.
  template <class T>
  void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
            matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
    auto const side = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
    auto const size = [](std::size_t n) { return static_cast<int>(n); };
    auto const stride = [](std::size_t n) { return static_cast<long long>(n); };
    T const one{1};
    auto const call = [&](auto function) {
      device::check(
          function(backend_.context_->blas(), side(s.transpose_b), side(s.transpose_a), size(s.n),
                   size(s.m), size(s.k), &one, b.at.data, size(b.row_stride), stride(b.at.stride),
                   a.at.data, size(a.row_stride), stride(a.at.stride), &beta, c.at.data,
                   size(c.row_stride), stride(c.at.stride), size(k)),
          "gemm");
    };
    if constexpr (sizeof(T) == sizeof(float))
      call(cublasSgemmStridedBatched);
    else
      call(cublasDgemmStridedBatched);
  }

 private:
  cuda backend_;
};

}  // namespace gossip
