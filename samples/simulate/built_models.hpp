// The models that are built in, and the driver's functions for each.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gossip/data/sample_shape.hpp>

namespace gossip {

class dataset;
struct memory_need;
struct named_tensor;
struct plan_report;
struct run_report;

}  // namespace gossip

namespace simulate {

struct job;
struct watcher;

using data_pair = std::pair<gossip::dataset, gossip::dataset>;  // training, test

/// The driver's functions for a model in one precision.
struct model {
  char const *name;
  char const *precision;
  bool learns_from_samples;
  bool has_statistics;          // of batch normalisation
  gossip::sample_shape sample;  // of its input, where it learns from samples
  std::vector<gossip::named_tensor> (*tensors)();
  gossip::memory_need (*memory)(job const &, std::size_t nodes, std::size_t edges);
  gossip::plan_report (*plan)(job const &);
  gossip::run_report (*run)(job const &, data_pair const *, watcher &);
};

/// All models that are built in: the list in samples/CMakeLists.txt.
std::vector<model const *> const &models();

/// The model of a name in the table, or null where it is not built in with this precision.
inline model const *model_named(std::string const &name, std::string const &precision = "fp32") {
  for (model const *m : models())
    if (name == m->name && precision == m->precision) return m;
  return nullptr;
}

}  // namespace simulate
