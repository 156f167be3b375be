// Copies of the stand-in. Pinned memory is read and written when the stream comes to the copy,
// other memory of the host when the copy is asked for.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace stand_in {

namespace {

void check_device_end(char const *call, char const *which, void const *at, std::size_t bytes) {
  if (owns(owner::device, at, bytes)) return;
  fault(call, std::string(which) + ": expected device memory of one allocation, got " +
                  std::to_string(bytes) + " bytes that " +
                  (touches(owner::device, at, bytes) ? "run out of one" : "are the host's"));
}

/// Whether the memory is pinned.
bool check_host_end(char const *call, char const *which, void const *at, std::size_t bytes) {
  if (touches(owner::device, at, bytes))
    fault(call, std::string(which) + ": expected memory of the host, got the device's");
  if (owns(owner::pinned, at, bytes)) return true;
  if (touches(owner::pinned, at, bytes))
    fault(call,
          std::string(which) + ": " + std::to_string(bytes) + " bytes run out of pinned memory");
  return false;
}

struct ends {
  bool from_device, to_device;
  bool from_pinned = false, to_pinned = false;
};

ends checked(char const *call, void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind) {
  ends e{kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
         kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice};
  if (e.to_device)
    check_device_end(call, "target", to, bytes);
  else
    e.to_pinned = check_host_end(call, "target", to, bytes);
  if (e.from_device)
    check_device_end(call, "source", from, bytes);
  else
    e.from_pinned = check_host_end(call, "source", from, bytes);
  return e;
}

cudaError_t copy(char const *call, void *to, void const *from, std::size_t bytes,
                 cudaMemcpyKind kind, cudaStream_t on) {
  if (bytes == 0) return cudaSuccess;
  ends const e = checked(call, to, from, bytes, kind);
  bool const reads_now = !e.from_device && !e.from_pinned;
  bool const writes_now = !e.to_device && !e.to_pinned;
  stream &s = stream_of(on);
  if (s.captured_in != nullptr && (reads_now || writes_now)) return refuse_capture(s);
  cudaError_t code = cudaSuccess;
  if (reads_now) {
    auto const *const first = static_cast<unsigned char const *>(from);
    code = give(on, [to, taken = std::vector<unsigned char>(first, first + bytes)] {
      std::memcpy(to, taken.data(), taken.size());
    });
  } else {
    code = give(on, [=] { std::memcpy(to, from, bytes); });
  }
  if (code == cudaSuccess && writes_now) run_everything(s);
  return code;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaMemcpyAsync(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t on) {
  one_call const now;
  return copy("cudaMemcpyAsync", to, from, bytes, kind, on);
}

cudaError_t cudaMemcpy(void *to, void const *from, std::size_t bytes, cudaMemcpyKind kind) {
  one_call const now;
  cudaError_t const code = copy("cudaMemcpy", to, from, bytes, kind, nullptr);
  if (code == cudaSuccess) run_everything(stream_of(nullptr));
  return code;
}

/// Of the default stream, and not waited for.
cudaError_t cudaMemset(void *to, int value, std::size_t bytes) {
  one_call const now;
  if (bytes == 0) return cudaSuccess;
  check_device_end("cudaMemset", "target", to, bytes);
  return give(nullptr, [=] { std::memset(to, value, bytes); });
}

}  // extern "C"
