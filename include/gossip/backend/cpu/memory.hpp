// Zeroed memory of the host for rows: page aligned, on huge pages where the system has them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <gossip/core/error.hpp>

namespace gossip {

/// Owns `size` zeros of a trivial type. Untouched pages take no memory.
template <class T>
class host_buffer {
  static_assert(std::is_trivially_copyable_v<T>, "gossip::host_buffer: T must be trivial.");

 public:
  host_buffer() = default;

  /// Throws gossip::error with the size where the system has no room.
  explicit host_buffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw error("memory: " + std::to_string(size) + " times " + std::to_string(sizeof(T)) +
                  " bytes could not be reserved");
    void *const at = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
      throw error("memory: " + std::to_string(bytes()) + " bytes could not be reserved");
    ::madvise(at, bytes(), MADV_HUGEPAGE);
    data_ = static_cast<T *>(at);
  }

  host_buffer(host_buffer &&other) noexcept { swap(other); }
  host_buffer &operator=(host_buffer &&other) noexcept {
    host_buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~host_buffer() {
    if (data_) ::munmap(data_, bytes());
  }

  T *data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  std::span<T> span() const { return {data_, size_}; }

 private:
  void swap(host_buffer &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T *data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossip
