// Captures and graphs of the stand-in: work as it was given, done again at every launch.
#include <utility>

#include "settings.hpp"
#include "stream.hpp"

using namespace stand_in;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorStreamCaptureUnsupported);
  stream &s = stream_of(handle);
  if (s.captured_in != nullptr) fault("cudaStreamBeginCapture", "the stream is captured already");
  s.captured_in = new graph;
  s.invalidated = false;
  s.captured_by = std::this_thread::get_id();
  s.capture_mode = mode;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *captured) {
  one_call const now;
  stream &s = stream_of(handle);
  if (s.captured_in == nullptr) fault("cudaStreamEndCapture", "the stream is not captured");
  *captured = std::exchange(s.captured_in, nullptr);
  if (!s.invalidated) return cudaSuccess;
  delete std::exchange(*captured, nullptr);
  return fail(cudaErrorStreamCaptureInvalidated);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t from,
                                          unsigned long long flags) {
  one_call const now;
  if (from == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
  *made = new replayed_graph{std::make_shared<std::vector<work> const>(from->nodes)};
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorInvalidValue);
  delete handle;
  return cudaSuccess;
}

/// Launches under way keep what they do.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorInvalidValue);
  delete handle;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t on) {
  one_call const now;
  if (handle == nullptr) return fail(cudaErrorInvalidValue);
  return give(on, [nodes = handle->nodes] {
    for (work const &each : *nodes) each();
  });
}

}  // extern "C"
