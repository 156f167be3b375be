// A model of the driver with any exchange: how its entry in the list of models is made.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include <gossip/core/error.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/cpu_offload.hpp>
#include <gossip/simulator/options.hpp>

#include "job.hpp"
#include "runs.hpp"

namespace simulate {

/// A model whose rows lie on the host and whose gradients a device computes.
template <class Device, class Model, class Precision>
gossip::any_model offloaded(job const &j, Device const &device, Model const &model,
                            Precision const &precision) {
  if constexpr (ranks::spans_ranks)
    if (j.world) device.choose(j.world->local_rank());
  return gossip::cpu_offload(model, device, j.device_memory, precision);
}

/// f(the driver's functions, the model of a job) in the precision of the entry and the format of
/// rows of the job. Models without samples run on the host alone. Throws input_error where a device
/// has no such rows, and where there is none that the job asks for.
template <class Model, class Precision, class F>
auto with_model(job const &j, F f) {
  Model model{};
  if constexpr (std::is_same_v<Model, quadratic_model>) model = j.quadratic;
  auto const &precision = std::get<Precision>(j.precision);
  return std::visit(
      [&]<class Row>([[maybe_unused]] stored_as<Row> const &stored) {
        if constexpr (!Model::learns_from_samples || !gossip::default_backend::on_device) {
          if (j.device_memory > 0)
            throw gossip::input_error(
                "--device-memory",
                gossip::default_backend::on_device ? "a model that learns from samples"
                                                   : "a program for GPUs, of './dev build cuda'",
                gossip::default_backend::on_device ? "one that is its own data"
                                                   : "one for the processor");
          return f(runs<gossip::any_model, Row>{}, gossip::any_model(model, precision));
        } else {
          if (j.device_memory > 0)
            return f(runs<gossip::any_model, Row>{},
                     offloaded(j, gossip::default_backend{}, model, precision));
          if constexpr (!std::same_as<Row, float>)
            throw gossip::input_error("storage", "float for a model on a GPU", stored.name);
          return f(runs<model_on_default, float>{}, model_on_default(model, precision));
        }
      },
      j.storage);
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
            return with_model<Model, Precision>(
                j, [&](auto of, auto const &m) { return of.memory(j, m, nodes, edges); });
          },
          [](job const &j) {
            return with_model<Model, Precision>(
                j, [&](auto of, auto const &m) { return of.plan(j, m); });
          },
          [](job const &j, data_pair const *data, watcher &to) {
            return with_model<Model, Precision>(
                j, [&](auto of, auto const &m) { return of.run(j, m, data, to); });
          }};
}

}  // namespace simulate
