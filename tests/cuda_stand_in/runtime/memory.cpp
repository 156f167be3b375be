// Allocations of the stand-in. Both kinds come from the heap with their exact size, so that the
// address sanitizer sees what lies beyond.
#include "memory.hpp"

#include <sanitizer/asan_interface.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "settings.hpp"
#include "stream.hpp"

namespace stand_in {

namespace {

/// Sizes by address. The top bit of an address is flipped, which keeps the order: the leak
/// sanitizer then reports what is known to this table alone.
class allocations {
 public:
  static std::uintptr_t key(void const *at) {
    return reinterpret_cast<std::uintptr_t>(at) ^ top_bit;
  }
  static void *address(std::uintptr_t key) { return reinterpret_cast<void *>(key ^ top_bit); }

  std::map<std::uintptr_t, std::size_t> sizes;
  std::size_t bytes = 0;

  /// The last allocation that begins at or before an address, or end().
  auto before(void const *at) const {
    auto const after = sizes.upper_bound(key(at));
    return after == sizes.begin() ? sizes.end() : std::prev(after);
  }

 private:
  static constexpr std::uintptr_t top_bit = std::uintptr_t{1} << 63;
};

/// Never destroyed, for objects of static lifetime may free later than anything here.
allocations &of(owner who) {
  static auto *const both = new allocations[2];
  return both[who == owner::device ? 0 : 1];
}

int device_turns = 0;

/// Lines of 256 bytes, as the device has them; every number is NaN.
void *allocate(owner who, std::size_t bytes) {
  void *at = nullptr;
  if (posix_memalign(&at, 256, bytes) != 0) return nullptr;
  std::memset(at, 0xff, bytes);
  of(who).sizes[allocations::key(at)] = bytes;
  of(who).bytes += bytes;
  return at;
}

void forget(owner who, char const *call, void *memory) {
  auto &table = of(who);
  auto const known = table.sizes.find(allocations::key(memory));
  if (known == table.sizes.end()) fault(call, "this memory was not allocated, or was freed before");
  table.bytes -= known->second;
  ASAN_UNPOISON_MEMORY_REGION(memory, known->second);
  table.sizes.erase(known);
}

void release(owner who, char const *call, void *memory) {
  forget(who, call, memory);
  std::free(memory);
}

}  // namespace

bool owns(owner who, void const *begin, std::size_t bytes) {
  auto const found = of(who).before(begin);
  return found != of(who).sizes.end() &&
         allocations::key(begin) + bytes <= found->first + found->second;
}

bool touches(owner who, void const *begin, std::size_t bytes) {
  auto const &sizes = of(who).sizes;
  auto const found = of(who).before(begin);
  if (found != sizes.end() && allocations::key(begin) < found->first + found->second) return true;
  auto const next = sizes.upper_bound(allocations::key(begin));
  return next != sizes.end() && next->first < allocations::key(begin) + bytes;
}

device_turn::device_turn() {
  if (eager() || device_turns++ > 0) return;
  for (auto const &[key, bytes] : of(owner::device).sizes)
    ASAN_UNPOISON_MEMORY_REGION(allocations::address(key), bytes);
}

device_turn::~device_turn() {
  if (eager() || --device_turns > 0) return;
  for (auto const &[key, bytes] : of(owner::device).sizes)
    ASAN_POISON_MEMORY_REGION(allocations::address(key), bytes);
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  one_call const now;
  *total = device_bytes();
  *free = *total - of(owner::device).bytes;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **to, std::size_t bytes) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  *to = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > device_bytes() - of(owner::device).bytes) return fail(cudaErrorMemoryAllocation);
  *to = allocate(owner::device, bytes);
  if (*to == nullptr) return fail(cudaErrorMemoryAllocation);
  if (!eager()) ASAN_POISON_MEMORY_REGION(*to, bytes);
  return cudaSuccess;
}

/// Waits for everything that the device was given, as CUDA does.
cudaError_t cudaFree(void *memory) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  if (memory == nullptr) return cudaSuccess;
  run_everything();
  release(owner::device, "cudaFree", memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **to, std::size_t bytes) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  *to = nullptr;
  if (bytes == 0) return cudaSuccess;
  *to = allocate(owner::pinned, bytes);
  return *to == nullptr ? fail(cudaErrorMemoryAllocation) : cudaSuccess;
}

/// The host's own memory, which the device then takes for pinned.
cudaError_t cudaHostRegister(void *memory, std::size_t bytes, unsigned) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  if (bytes == 0 || touches(owner::device, memory, bytes)) return fail(cudaErrorInvalidValue);
  if (touches(owner::pinned, memory, bytes)) fault("cudaHostRegister", "this memory is pinned");
  of(owner::pinned).sizes[allocations::key(memory)] = bytes;
  of(owner::pinned).bytes += bytes;
  return cudaSuccess;
}

/// Waits for nothing: copies of its memory must be over.
cudaError_t cudaHostUnregister(void *memory) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  forget(owner::pinned, "cudaHostUnregister", memory);
  return cudaSuccess;
}

/// Does not wait: that CUDA does is written nowhere. A copy under way then uses freed memory.
cudaError_t cudaFreeHost(void *memory) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  if (memory != nullptr) release(owner::pinned, "cudaFreeHost", memory);
  return cudaSuccess;
}

}  // extern "C"
