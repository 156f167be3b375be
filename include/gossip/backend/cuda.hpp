// The device backend: rows in GPU memory, loops by Thrust, sums over rows and mixtures by blocks of
// threads, matrix products by cuBLAS over all nodes of a cohort at once. One stream; nothing waits
// but download() and, for every 8 MiB, upload().
#pragma once

#if !defined(__CUDACC__) && !defined(GOSSIP_CUDA_STAND_IN)  // of the tests
#error "gossip/backend/cuda.hpp is for nvcc; on the host the backend is gossip::cpu"
#endif

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/cpu/thread_count.hpp>
#include <gossip/backend/cpu/thread_team.hpp>
#include <gossip/backend/cuda/context.hpp>
#include <gossip/backend/cuda/memory.hpp>
#include <gossip/backend/cuda/team.hpp>
#include <gossip/backend/multiplication.hpp>
#include <gossip/op/gemm_shape.hpp>
#include <gossip/op/lanes.hpp>
#include <gossip/op/product_layers.hpp>
#include <gossip/op/split_index.hpp>
#include <gossip/op/whole_row.hpp>

namespace gossip {

namespace device {

/// Turns one index into (node, row) for a function that a team of threads calls.
template <class F>
struct by_node_row {
  std::size_t rows;
  F f;

  template <class Team>
  constexpr void operator()(Team const &team, std::size_t index) const {
    auto const [j, row] = op::split_index(index, rows);
    f.by_team(team, j, row);
  }
};

/// Turns one index into (node, row, lane), lanes fastest.
template <class F>
struct by_node_row_lane {
  op::divisor rows, lanes;
  F f;

  constexpr void operator()(std::size_t index) const {
    auto const [all_rows, lane] = lanes.split(index);
    auto const [j, row] = rows.split(all_rows);
    f(j, row, lane);
  }
};

}  // namespace device

/// One GPU: the one that is current at its first use.
struct cuda {
  static constexpr char const *name = "cuda";
  static constexpr bool on_device = true;

  multiplication multiply = multiplication::fp32;  ///< rounding of factors in products of floats
  std::shared_ptr<device::context> context =
      std::make_shared<device::context>();  ///< by default new

  template <class T>
  using buffer = device::buffer<T>;
  template <class T>
  using pinned = device::pinned<T>;
  using recording = device::recording;
  using event = device::event;
  using locked_pages = device::locked_pages;

  /// The GPU that is the current one by a stream of its own, for another thread.
  cuda own_stream() const { return {.multiply = multiply}; }
  /// Bytes of a stream beside buffers, of the GPU and of the host.
  static constexpr std::size_t stream_bytes = device::context::workspace_bytes;
  static constexpr std::size_t stream_host_bytes = 2 * device::staging::half;

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
    ++context->done.launches;
    thrust::for_each_n(thrust::cuda::par_nosync.on(context->stream()),
                       thrust::counting_iterator<std::size_t>(0), count, f);
  }

  /// f(team, index) for every index below count, each by a block of threads.
  template <class F>
  void launch_teams(std::size_t count, F f) const {
#ifdef __CUDACC__
    constexpr unsigned threads = 256;
    if (count == 0) return;
    ++context->done.launches;
    device::run_teams<threads>
        <<<device::blocks_of(count), threads, 0, context->stream()>>>(count, f);
    device::check(cudaGetLastError(), "launch");
#else
    launch(count, op::by_one_thread<F>{f});
#endif
  }

  /// Bytes of shared memory that a team may have: a multiprocessor of a Hopper has room for three
  /// such teams.
  static constexpr std::size_t team_bytes = std::size_t{72} << 10;

  /// f(team, memory, index) for every index below count; memory: so many bytes of the team's own,
  /// at most team_bytes. False, without a launch, where a block of this GPU cannot have team_bytes.
  template <class F>
  bool launch_teams(std::size_t count, std::size_t bytes, F f) const {
#ifdef __CUDACC__
    constexpr unsigned threads = 512;
    if (count == 0) return true;
    auto const kernel = device::run_teams_with_memory<threads, F>;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(team_bytes)) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    ++context->done.launches;
    kernel<<<device::blocks_of(count), threads, bytes, context->stream()>>>(count, f);
    device::check(cudaGetLastError(), "launch");
#else
    launch(count, device::with_memory<F>{bytes, f});
#endif
    return true;
  }

  /// f(), which must do nothing but launch, and the same whenever it is given with this recording.
  template <class F>
  void replay(recording &kept, F f) const {
    kept.run(*context, f);
  }

  /// Copies to the device, in stream order; `from` may be reused at once.
  template <class T>
  void upload(T *to, T const *from, std::size_t count) const {
    context->upload(to, from, count * sizeof(T));
  }

  /// Copies to the host and waits for it, and so for everything launched before.
  template <class T>
  void download(T *to, T const *from, std::size_t count) const {
    context->download(to, from, count * sizeof(T));
  }

  void wait() const { context->wait(); }

  /// Copies between device and pinned memory, in stream order and without waiting: neither side may
  /// be changed before an event recorded after it has passed.
  template <class T>
  void begin_upload(T *to, T const *from, std::size_t count) const {
    context->begin_copy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
  }
  template <class T>
  void begin_download(T *to, T const *from, std::size_t count) const {
    context->begin_copy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost);
  }
  void record(event &at) const { at.record(context->stream()); }

  /// Takes one of the GPUs that this process sees, by a number that counts on; what has been used
  /// before stays where it is. To be called by the thread that runs the simulator.
  void choose(std::size_t number) const {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();  // the first use will say so
    if (count > 0) context->choose(static_cast<int>(number % static_cast<std::size_t>(count)));
  }

  /// CUDA's properties of the GPU in use.
  static cudaDeviceProp device_properties() {
    int gpu = 0;
    cudaDeviceProp about{};
    device::check(cudaGetDevice(&gpu), "current GPU");
    device::check(cudaGetDeviceProperties(&about, gpu), "GPU");
    return about;
  }
  static std::string device_name() { return device_properties().name; }

  /// A word for the GPU in use, which no other has.
  static std::uint64_t device_identity() {
    cudaDeviceProp const about = device_properties();
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof about.uuid);
    std::memcpy(halves, &about.uuid, sizeof halves);
    return halves[0] ^ halves[1];
  }

  /// Bytes of GPU memory, as a margin, for what takes some without being asked: kernels of cuBLAS
  /// and of this program, which are loaded when they are first launched, their local memory,
  /// graphs.
  static constexpr std::size_t beside_buffers = std::size_t{512} << 20;
  /// Bytes of the host, as a margin, for CUDA and cuBLAS themselves.
  static constexpr std::size_t beside_host_buffers = std::size_t{256} << 20;

  /// Bytes of GPU memory that are free.
  static std::size_t available_bytes() {
    std::size_t free = 0, total = 0;
    device::check(cudaMemGetInfo(&free, &total), "memory");
    return free;
  }

  class worker;

  static constexpr std::size_t workers() { return 1; }

  /// Threads of the host stand ready for loops beside the device.
  struct session {
    explicit session(cuda const &) : team(usual_threads()) {}
    thread_team team;
  };
};

/// Runs a model's layers: the whole device.
class cuda::worker : public op::product_layers<cuda::worker> {
 public:
  static constexpr bool on_gpu = true;  // its numbers are not for the host to read
  static constexpr std::size_t lane_step = 1;

  explicit worker(cuda const &backend) : backend_(backend) {}

  /// Sets the rounding of factors in products of floats.
  void multiply(multiplication how) { backend_.multiply = how; }

  template <class F>
  void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
    backend_.launch(k * rows * lanes,
                    device::by_node_row_lane<F>{op::divisor(rows), op::divisor(lanes), f});
  }
  template <class F>
  void for_each_row(std::size_t k, std::size_t rows, F f) const {
    backend_.launch_teams(k * rows, device::by_node_row<F>{rows, f});
  }

  /// Row-major products are column-major ones with the operands changed.
  template <class T>
  void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
            matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
    constexpr cudaDataType type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
    auto const side = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
    auto const size = [](std::size_t n) { return static_cast<int>(n); };
    auto const stride = [](std::size_t n) { return static_cast<long long>(n); };
    T const one{1};
    device::check(
        cublasGemmStridedBatchedEx(
            backend_.context->blas(), side(s.transpose_b), side(s.transpose_a), size(s.n),
            size(s.m), size(s.k), &one, b.at.data, type, size(b.row_stride), stride(b.at.stride),
            a.at.data, type, size(a.row_stride), stride(a.at.stride), &beta, c.at.data, type,
            size(c.row_stride), stride(c.at.stride), size(k), products<T>(), CUBLAS_GEMM_DEFAULT),
        "gemm");
  }

 private:
  template <class T>
  cublasComputeType_t products() const {
    if constexpr (std::is_same_v<T, double>) {
      return CUBLAS_COMPUTE_64F;
    } else {
      switch (backend_.multiply) {
        case multiplication::tf32:
          return CUBLAS_COMPUTE_32F_FAST_TF32;
        case multiplication::bf16:
          return CUBLAS_COMPUTE_32F_FAST_16BF;
        case multiplication::fp16:
          return CUBLAS_COMPUTE_32F_FAST_16F;
        case multiplication::fp32:
          break;
      }
      return CUBLAS_COMPUTE_32F;
    }
  }

  cuda backend_;
};

static_assert(device_backend<cuda>);

}  // namespace gossip
