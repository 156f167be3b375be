// Streams as queues, and the captures that they may be in.
#pragma once

#include <cuda_runtime.h>

#include <deque>
#include <memory>
#include <thread>
#include <vector>

namespace stand_in {

/// Work of a capture, in its order.
struct graph {
  std::vector<work> nodes;
};

struct replayed_graph {
  std::shared_ptr<std::vector<work> const> nodes;
};

struct stream {
  std::deque<work> queue;
  graph *captured_in = nullptr;
  bool invalidated = false;  // the capture
  std::thread::id captured_by;
  cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
  bool destroyed = false;  // with work left
};

/// The stream of a handle; null is the default stream.
stream &stream_of(cudaStream_t handle);

/// Success outside of captures. A call that CUDA calls unsafe invalidates the captures of this
/// thread otherwise, and is refused.
cudaError_t unsafe_in_capture();

/// Refuses what cannot be captured, and invalidates the capture.
cudaError_t refuse_capture(stream &of);

void run_next(stream &of);
void run_everything(stream &of);

/// All streams.
void run_everything();

}  // namespace stand_in
