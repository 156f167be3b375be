// Parts of an engine on a device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossip {

/// Model and rows outlive the engine.
template <class Backend, class Model, class Fleet, class Kernel, class Source, class Precision,
          class Functions>
struct device_parts {
  Backend backend;
  Model const &model;
  Fleet const &rows;
  Kernel kernel;
  std::uint64_t seed;
  std::size_t batch;
  std::size_t mixed;         // columns that an exchange works on
  std::size_t reestimation;  // batches that statistics are measured anew on before evaluation
  Source source;
  Precision precision = {};
  Functions functions = {};
};

}  // namespace gossip
