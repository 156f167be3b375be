// A model of the driver with any exchange: how its entry in the list of models is made.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include <gossip/model/named_tensors.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/options.hpp>

#include "job.hpp"
#include "runs.hpp"

namespace simulate {

/// The model of a job, in the precision of the entry: held as any_model on the host, by its type on
/// a device, which no model without samples runs on.
template <class Model, class Precision>
auto model_for(job const &j) {
  Model model{};
  if constexpr (std::is_same_v<Model, quadratic_model>) model = j.quadratic;
  auto const &precision = std::get<Precision>(j.precision);
  if constexpr (Model::learns_from_samples && gossip::default_backend::on_device)
    return typed<Model, Precision>{model, precision};
  else
    return gossip::any_model(model, precision);
}

template <class Model>
constexpr gossip::sample_shape sample_of() {
  if constexpr (Model::learns_from_samples)
    return {Model::sample.channels, Model::sample.height, Model::sample.width};
  else
    return {};
}

/// The entry of a model.
template <class Model, class Precision = gossip::full_precision>
constexpr model entry(char const *name) {
  return {name,
          Precision::name,
          Model::learns_from_samples,
          (gossip::row_length<Model>) > Model::parameters,
          sample_of<Model>(),
          &gossip::named_tensors<Model>,
          [](job const &j, std::size_t nodes, std::size_t edges) {
            return memory_of(j, model_for<Model, Precision>(j), nodes, edges);
          },
          [](job const &j) { return plan_of(j, model_for<Model, Precision>(j)); },
          [](job const &j, data_pair const *data, watcher &to) {
            return run_of(j, model_for<Model, Precision>(j), data, to);
          }};
}

}  // namespace simulate
