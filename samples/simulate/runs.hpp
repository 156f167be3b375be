// Memory, plan and run of a job with a model, compiled once for each format of rows, in files that
// CMake writes.
#pragma once

#include <cstddef>

#include <gossip/core/float16.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/options.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "job.hpp"

namespace simulate {

/// A model on the GPU of a program for GPUs; else any_model.
using model_on_default = gossip::basic_any_model<float, gossip::default_backend>;

/// What the driver does with a model whose rows have elements of this type.
template <class Model, class Row>
struct runs {
  static gossip::memory_need memory(job const &j, Model const &m, std::size_t nodes,
                                    std::size_t edges);
  static gossip::plan_report plan(job const &j, Model const &m);
  /// data: null for a model that is its own.
  static gossip::run_report run(job const &j, Model const &m, data_pair const *data, watcher &to);
};

#ifdef __CUDACC__
extern template struct runs<model_on_default, float>;
#endif
extern template struct runs<gossip::any_model, float>;
extern template struct runs<gossip::any_model, gossip::bf16>;
extern template struct runs<gossip::any_model, gossip::fp16>;

}  // namespace simulate
