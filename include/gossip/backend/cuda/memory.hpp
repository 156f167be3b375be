// Memory of a GPU, and the pinned memory of the host through which numbers get there.
#pragma once

#if !defined(__CUDACC__) && !defined(GOSSIP_CUDA_STAND_IN)  // of the tests
#error "gossip/backend/cuda/memory.hpp is for nvcc; on the host the backend is gossip::cpu"
#endif

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <gossip/core/error.hpp>

namespace gossip::device {

inline void check(cudaError_t code, char const *what) {
  if (code != cudaSuccess)
    throw error(std::string("cuda: ") + what + ": " + cudaGetErrorString(code));
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

/// Owns numbers in page-locked memory of the host, which a GPU reads and writes by itself.
template <class T>
class pinned {
 public:
  pinned() = default;
  explicit pinned(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (cudaMallocHost(&data_, size * sizeof(T)) != cudaSuccess) {
      cudaGetLastError();
      throw error("cuda: " + std::to_string(size * sizeof(T)) +
                  " bytes of host memory could not be pinned");
    }
  }
  pinned(pinned &&other) noexcept { swap(other); }
  pinned &operator=(pinned &&other) noexcept {
    pinned(std::move(other)).swap(*this);
    return *this;
  }
  ~pinned() { cudaFreeHost(data_); }

  T *data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  void swap(pinned &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory of the host whose pages stay locked while this lives, so that a GPU reads and writes it
/// by itself. Where the system does not lock them copies come by the driver's own memory.
class locked_pages {
 public:
  explicit locked_pages(std::span<std::byte> memory) {
    if (memory.empty()) return;
    if (cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault) == cudaSuccess)
      at_ = memory.data();
    else
      cudaGetLastError();
  }
  locked_pages(locked_pages &&other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  locked_pages &operator=(locked_pages &&) = delete;
  ~locked_pages() {
    if (at_) cudaHostUnregister(at_);
  }

 private:
  void *at_ = nullptr;
};

/// A place in a stream's order.
class event {
 public:
  event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "event"); }
  event(event &&other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  event &operator=(event &&other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~event() {
    if (event_) cudaEventDestroy(event_);
  }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "event"); }

  /// Whether the device has done everything before it; does not wait.
  bool passed() const {
    cudaError_t const code = cudaEventQuery(event_);
    if (code == cudaErrorNotReady) return false;
    check(code, "kernel");
    return true;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Pinned memory of the host in two halves. What is to be copied to the device is put there first,
/// so that neither the host nor what the numbers came from waits for the copy. A half is used again
/// when the copies out of it are over.
class staging {
 public:
  static constexpr std::size_t half = std::size_t{8} << 20;

  staging() {
    check(cudaMallocHost(&data_, 2 * half), "pinned memory");
    for (cudaEvent_t &event : copied_)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
  }
  ~staging() {
    for (cudaEvent_t const event : copied_) cudaEventDestroy(event);
    cudaFreeHost(data_);
  }
  staging(staging const &) = delete;
  staging &operator=(staging const &) = delete;

  /// Copies to the device in stream order; `from` may be changed at once. Returns how often that
  /// meant to wait: once for every `half` bytes, for the copies of as many bytes before.
  std::size_t copy(std::byte *to, std::byte const *from, std::size_t bytes, cudaStream_t stream) {
    std::size_t waits = 0;
    while (bytes > 0) {
      if (used_ == half) {
        change_halves(stream);
        ++waits;
      }
      std::size_t const part = std::min(bytes, half - used_);
      std::byte *const here = data_ + now_ * half + used_;
      std::memcpy(here, from, part);
      check(cudaMemcpyAsync(to, here, part, cudaMemcpyHostToDevice, stream), "upload");
      used_ += std::min((part + 255) / 256 * 256, half - used_);  // copies begin at whole lines
      to += part;
      from += part;
      bytes -= part;
    }
    return waits;
  }

 private:
  void change_halves(cudaStream_t stream) {
    check(cudaEventRecord(copied_[now_], stream), "event");
    now_ = 1 - now_;
    check(cudaEventSynchronize(copied_[now_]), "upload");  // at once if it was never recorded
    used_ = 0;
  }

  std::byte *data_ = nullptr;
  cudaEvent_t copied_[2]{};
  std::size_t now_ = 0, used_ = 0;
};

}  // namespace gossip::device
