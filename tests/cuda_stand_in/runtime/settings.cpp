// The environment, faults, and errors of the stand-in.
#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

namespace stand_in {

namespace {

std::uint64_t number(char const *name, std::uint64_t otherwise) {
  char const *const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
}

thread_local cudaError_t last_error = cudaSuccess;

/// Never destroyed, as objects of static lifetime may call later than anything here.
std::recursive_mutex &calls() {
  static auto *const one = new std::recursive_mutex;
  return *one;
}

}  // namespace

one_call::one_call() {
  calls().lock();
}
one_call::~one_call() {
  calls().unlock();
}

bool eager() {
  static bool const chosen = [] {
    char const *const text = std::getenv("CUDA_STAND_IN_STREAMS");
    std::string_view const how = text == nullptr || *text == '\0' ? "late" : text;
    if (how != "late" && how != "eager")
      fault("CUDA_STAND_IN_STREAMS", "expected late or eager, got " + std::string(how));
    return how == "eager";
  }();
  return chosen;
}

std::uint64_t thread_seed() {
  static std::uint64_t const seed = number("CUDA_STAND_IN_THREADS", 0);
  return seed;
}

std::size_t device_bytes() {
  static std::size_t const bytes = number("CUDA_STAND_IN_BYTES", std::size_t{16} << 30);
  return bytes;
}

void fault(std::string const &where, std::string const &what) {
  std::fprintf(stderr, "CUDA stand-in: %s: %s\n", where.c_str(), what.c_str());
  std::abort();
}

cudaError_t fail(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}

}  // namespace stand_in

extern "C" {

char const *cudaGetErrorString(cudaError_t code) {
  switch (code) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorCapturedEvent:
      return "operation not permitted on an event last recorded in a capturing stream";
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError() {
  cudaError_t const code = stand_in::last_error;
  stand_in::last_error = cudaSuccess;
  return code;
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return stand_in::fail(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  if (device != 0) return stand_in::fail(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "CUDA stand-in");
  std::memcpy(properties->uuid.bytes, "gossip CUDA test", sizeof properties->uuid.bytes);
  return cudaSuccess;
}

}  // extern "C"
