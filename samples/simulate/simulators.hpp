// The simulators of a job: definitions of runs.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <gossip/backend/cpu.hpp>
#include <gossip/simulator/simulator.hpp>

#include "job.hpp"
#include "runs.hpp"

namespace simulate {

/// f(the simulator of a model on the host, for the exchange of the job). Row: elements of rows.
template <class Row, class F>
auto with_simulator(job const &j, gossip::any_model const &model, F f) {
  gossip::cpu const backend{.threads = j.threads};
  gossip::numbers<float, Row> const numbers{};
  if constexpr (ranks::spans_ranks)
    if (j.world) {
      gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                                j.clock,    backend, numbers,     *j.world};
      return f(network);
    }
  gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                            j.clock,    backend, numbers,     gossip::with_reference{}};
  return f(network);
}

/// The same on a device, where rows are of float.
template <class Row, class Model, class Precision, class F>
  requires std::same_as<Row, float>
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

template <class Model, class Row>
gossip::memory_need runs<Model, Row>::memory(job const &j, Model const &m, std::size_t nodes,
                                             std::size_t edges) {
  return with_simulator<Row>(j, m, [&](auto const &network) {
    return network.memory(j.settings, nodes, edges, j.training);
  });
}

template <class Model, class Row>
gossip::plan_report runs<Model, Row>::plan(job const &j, Model const &m) {
  return with_simulator<Row>(j, m, [&](auto const &network) {
    return network.dry_run(j.settings, j.training, observers(j, nullptr, nullptr));
  });
}

template <class Model, class Row>
gossip::run_report runs<Model, Row>::run(job const &j, Model const &m, data_pair const *data,
                                         watcher &to) {
  return with_simulator<Row>(j, m, [&](auto &network) {
    if constexpr (std::is_same_v<Model, gossip::any_model>)
      if (!data) return network.run(j.settings, observers(j, &to, nullptr));
    return network.run(j.settings, gossip::split(data->first, j.split),
                       observers(j, &to, &data->second));
  });
}

}  // namespace simulate
