// One model with any exchange: the specialisations a model's translation unit holds.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <gossip/backend/cpu.hpp>
#include <gossip/simulator/simulator.hpp>

#include "job.hpp"

namespace simulate {

template <class Backend>
Backend backend_of(job const &j) {
  Backend backend;
  if constexpr (requires { backend.threads; }) backend.threads = j.threads;
  return backend;
}

/// A model with the precision that it is trained in.
template <class Model, class Precision>
struct specialised {
  using model_type = Model;
  Model model;
  Precision precision;
};

/// The backend of a model: the host for one that is its own data.
template <class Model>
using backend_for =
    std::conditional_t<Model::learns_from_samples, gossip::default_backend, gossip::cpu>;

/// f(the simulator of this model, for the exchange of the job).
template <class Model, class Precision, class F>
auto with_simulator(job const &j, specialised<Model, Precision> const &m, F f) {
  auto const backend = backend_of<backend_for<Model>>(j);
  if constexpr (ranks::spans_ranks)
    if (j.world) {
      gossip::simulator network{j.topology, m.model, j.optimizer, j.exchange,
                                j.clock,    backend, m.precision, *j.world};
      return f(network);
    }
  gossip::simulator network{j.topology, m.model, j.optimizer, j.exchange,
                            j.clock,    backend, m.precision};
  return f(network);
}

inline auto observers(job const &j, watcher *to, gossip::dataset const *test) {
  return gossip::periodic<period, evaluation>{j.every, {evaluation{to, test}}};
}

template <class Model>
gossip::memory_need memory_of(job const &j, Model const &m, std::size_t nodes, std::size_t edges) {
  return with_simulator(j, m, [&](auto const &network) {
    return network.memory(j.settings, nodes, edges, j.training);
  });
}

template <class Model>
gossip::plan_report plan_of(job const &j, Model const &m) {
  return with_simulator(j, m, [&](auto const &network) {
    return network.dry_run(j.settings, j.training, observers(j, nullptr, nullptr));
  });
}

template <class Model, class Precision>
gossip::run_report run_of(job const &j, specialised<Model, Precision> const &m,
                          data_pair const *data, watcher &to) {
  return with_simulator(j, m, [&](auto &network) {
    if constexpr (Model::learns_from_samples)
      return network.run(j.settings, gossip::split(data->first, j.split),
                         observers(j, &to, &data->second));
    else
      return network.run(j.settings, observers(j, &to, nullptr));
  });
}

template <class Model>
constexpr gossip::sample_shape sample_of() {
  if constexpr (Model::learns_from_samples)
    return {Model::sample.channels, Model::sample.height, Model::sample.width};
  else
    return {};
}

/// The model that Make makes for a job, in the precision that the entry is for.
template <class Precision, class Make>
auto made(job const &j) {
  return specialised<std::invoke_result_t<Make, job const &>, Precision>{
      Make{}(j), std::get<Precision>(j.precision)};
}

/// The entry of a model; make(job) is its value.
template <class Precision = gossip::full_precision, class Make>
constexpr model entry(char const *name, Make) {
  using type = std::invoke_result_t<Make, job const &>;
  return {name,
          Precision::name,
          type::learns_from_samples,
          (gossip::row_length<type>) > type::parameters,
          sample_of<type>(),
          &gossip::named_tensors<type>,
          [](job const &j, std::size_t nodes, std::size_t edges) {
            return memory_of(j, made<Precision, Make>(j), nodes, edges);
          },
          [](job const &j) { return plan_of(j, made<Precision, Make>(j)); },
          [](job const &j, data_pair const *data, watcher &to) {
            return run_of(j, made<Precision, Make>(j), data, to);
          }};
}

}  // namespace simulate
