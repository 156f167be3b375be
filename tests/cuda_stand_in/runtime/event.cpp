// Events of the stand-in: a place in a stream's queue.
#include <memory>

#include "memory.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace stand_in {

struct event {
  /// Shared with the work that marks the place, which may outlive the event.
  struct places {
    std::uint64_t recorded = 0, passed = 0;
  };
  std::shared_ptr<places> at = std::make_shared<places>();
  stream *on = nullptr;
  bool captured = false;
  int queries = 0;  // since it was recorded
};

namespace {

/// Queries that find the device at work before it has come to the place.
constexpr int early_queries = 3;

bool passed(event const &e) {
  return e.at->passed == e.at->recorded;
}

void run_up_to(event const &e) {
  if (passed(e)) return;
  device_turn const turn;
  while (!passed(e)) run_next(*e.on);
}

cudaError_t before_waiting(event const &e) {
  if (e.captured) {
    unsafe_in_capture();
    return fail(cudaErrorCapturedEvent);
  }
  return unsafe_in_capture();
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *made, unsigned flags) {
  one_call const now;
  if (flags != cudaEventDisableTiming)
    fault("cudaEventCreateWithFlags", "no event here has a time");
  *made = new event;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorInvalidResourceHandle);
  delete handle;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t on) {
  one_call const now;
  stream &s = stream_of(on);
  handle->captured = s.captured_in != nullptr;
  if (handle->captured) return cudaSuccess;
  handle->on = &s;
  handle->queries = 0;
  std::uint64_t const place = ++handle->at->recorded;
  return give(on, [at = handle->at, place] { at->passed = place; });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  one_call const now;
  if (cudaError_t const code = before_waiting(*handle)) return code;
  if (passed(*handle)) return cudaSuccess;
  if (handle->queries++ < early_queries) return cudaErrorNotReady;
  run_up_to(*handle);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  one_call const now;
  if (cudaError_t const code = before_waiting(*handle)) return code;
  run_up_to(*handle);
  return cudaSuccess;
}

}  // extern "C"
