// Streams of the stand-in: work waits in queues until somebody waits for it.
#include "stream.hpp"

#include <cstdint>
#include <numeric>
#include <utility>

#include "memory.hpp"
#include "settings.hpp"

namespace stand_in {

namespace {

/// Streams that there are, as addresses with all bits flipped: see memory.cpp.
std::vector<std::uintptr_t> &hidden_streams() {
  static auto *const all = new std::vector<std::uintptr_t>;
  return *all;
}
std::uintptr_t hidden(stream *s) {
  return ~reinterpret_cast<std::uintptr_t>(s);
}
stream *shown(std::uintptr_t s) {
  return reinterpret_cast<stream *>(~s);
}

stream &default_stream() {
  static auto *const one = new stream;
  return *one;
}

bool captured_here(stream const &s) {
  if (s.captured_in == nullptr || s.capture_mode == cudaStreamCaptureModeRelaxed) return false;
  return s.capture_mode == cudaStreamCaptureModeGlobal ||
         s.captured_by == std::this_thread::get_id();
}

}  // namespace

thread_order::thread_order(std::size_t count) : count_(count) {
  std::uint64_t const seed = thread_seed();
  if (seed == 0 || count < 2) return;
  first_ = seed * 7919 % count;
  stride_ = 1 + seed * 104729 % (count - 1);
  while (std::gcd(stride_, count) != 1) --stride_;  // 1 at the latest
}

stream &stream_of(cudaStream_t handle) {
  if (handle == nullptr) return default_stream();
  if (handle->destroyed) fault("stream", "used after cudaStreamDestroy");
  return *handle;
}

cudaError_t unsafe_in_capture() {
  bool refused = false;
  for (std::uintptr_t const each : hidden_streams())
    if (captured_here(*shown(each))) shown(each)->invalidated = refused = true;
  return fail(refused ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

cudaError_t refuse_capture(stream &of) {
  of.invalidated = true;
  return fail(cudaErrorStreamCaptureUnsupported);
}

cudaError_t give(stream *to, work what) {
  one_call const now;
  if (to == nullptr)
    if (cudaError_t const code = unsafe_in_capture()) return code;
  stream &s = stream_of(to);
  if (s.captured_in == nullptr) {
    s.queue.push_back(std::move(what));
    if (eager()) run_everything(s);
    return cudaSuccess;
  }
  if (s.invalidated) return fail(cudaErrorStreamCaptureInvalidated);
  s.captured_in->nodes.push_back(std::move(what));
  return cudaSuccess;
}

void run_next(stream &of) {
  device_turn const turn;
  work const next = std::move(of.queue.front());
  of.queue.pop_front();
  next();
}

void run_everything(stream &of) {
  if (of.queue.empty()) return;
  device_turn const turn;
  while (!of.queue.empty()) run_next(of);
}

void run_everything() {
  run_everything(default_stream());
  auto &all = hidden_streams();
  for (std::size_t k = 0; k < all.size(); ++k) run_everything(*shown(all[k]));
  std::erase_if(all, [](std::uintptr_t each) {
    bool const destroyed = shown(each)->destroyed;
    if (destroyed) delete shown(each);
    return destroyed;
  });
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *made, unsigned flags) {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  if (flags != cudaStreamNonBlocking)
    fault("cudaStreamCreateWithFlags", "only streams that ignore the default stream are there");
  *made = new stream;
  hidden_streams().push_back(hidden(*made));
  return cudaSuccess;
}

/// Does not wait: work left is done when somebody waits for the device.
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorInvalidResourceHandle);
  stream &s = stream_of(handle);
  if (s.captured_in != nullptr) fault("cudaStreamDestroy", "the stream is being captured");
  if (!s.queue.empty()) {
    s.destroyed = true;
    return cudaSuccess;
  }
  std::erase(hidden_streams(), hidden(&s));
  delete &s;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  one_call const now;
  stream &s = stream_of(handle);
  if (s.captured_in != nullptr) return refuse_capture(s);
  if (cudaError_t const code = unsafe_in_capture()) return code;
  run_everything(s);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  one_call const now;
  if (cudaError_t const code = unsafe_in_capture()) return code;
  run_everything();
  return cudaSuccess;
}

}  // extern "C"
