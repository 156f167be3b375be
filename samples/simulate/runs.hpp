// Memory, plan and run of a job with a model; of models on the host compiled once, in runs.cpp.
#pragma once

#include <cstddef>
#include <type_traits>

#include <gossip/backend/cpu.hpp>
#include <gossip/simulator/any_model.hpp>
#include <gossip/simulator/simulator.hpp>

#include "job.hpp"

namespace simulate {

/// A model on a device.
template <class Model, class Precision>
struct typed {
  Model model;
  Precision precision;
};

/// f(the simulator of a model on the host, for the exchange of the job).
template <class F>
auto with_simulator(job const &j, gossip::any_model const &model, F f) {
  gossip::cpu const backend{.threads = j.threads};
  if constexpr (ranks::spans_ranks)
    if (j.world) {
      gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                                j.clock,    backend, *j.world};
      return f(network);
    }
  gossip::simulator network{
      j.topology, model, j.optimizer, j.exchange, j.clock, backend, gossip::with_reference{}};
  return f(network);
}

/// The same on a device.
template <class Model, class Precision, class F>
auto with_simulator(job const &j, typed<Model, Precision> const &m, F f) {
  gossip::default_backend const backend{};
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

/// data: null for a model that is its own.
template <class Model>
gossip::run_report run_of(job const &j, Model const &m, data_pair const *data, watcher &to) {
  return with_simulator(j, m, [&](auto &network) {
    if constexpr (std::is_same_v<Model, gossip::any_model>)
      if (!data) return network.run(j.settings, observers(j, &to, nullptr));
    return network.run(j.settings, gossip::split(data->first, j.split),
                       observers(j, &to, &data->second));
  });
}

extern template gossip::memory_need memory_of(job const &, gossip::any_model const &, std::size_t,
                                              std::size_t);
extern template gossip::plan_report plan_of(job const &, gossip::any_model const &);
extern template gossip::run_report run_of(job const &, gossip::any_model const &, data_pair const *,
                                          watcher &);

}  // namespace simulate
