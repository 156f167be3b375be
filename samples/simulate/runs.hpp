// Memory, plan and run of a job with a model. Those of models on the host are compiled once for
// each format of rows, in files that CMake writes.
#pragma once

#include <cstddef>

#include <gossip/core/float16.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/plan_report.hpp>

#include "job.hpp"

namespace simulate {

/// A model on a device.
template <class Model, class Precision>
struct typed {
  Model model;
  Precision precision;
};

/// What the driver does with a model whose rows have elements of this type.
template <class Model, class Row>
struct runs {
  static gossip::memory_need memory(job const &j, Model const &m, std::size_t nodes,
                                    std::size_t edges);
  static gossip::plan_report plan(job const &j, Model const &m);
  /// data: null for a model that is its own.
  static gossip::run_report run(job const &j, Model const &m, data_pair const *data, watcher &to);
};

extern template struct runs<gossip::any_model, float>;
extern template struct runs<gossip::any_model, gossip::bf16>;
extern template struct runs<gossip::any_model, gossip::fp16>;

}  // namespace simulate
