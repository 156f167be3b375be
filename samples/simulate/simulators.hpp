// The simulators of a job: definitions of runs.hpp.
#pragma once

#include <cstddef>

#include <gossip/simulator/runs.hpp>
#include <gossip/simulator/simulator.hpp>

#include "job.hpp"
#include "runs.hpp"

namespace simulate {

/// f(the simulator of a model, for the exchange of the job). Row: elements of rows.
template <class Row, class Backend, class F>
auto with_simulator(job const &j, gossip::basic_any_model<float, Backend> const &model, F f) {
  gossip::numbers<float, Row> const numbers{};
  Backend backend{};
  if constexpr (!Backend::on_device) backend.threads = j.threads;
  if constexpr (ranks::spans_ranks)
    if (j.world) {
      gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                                j.clock,    backend, numbers,     *j.world};
      return f(network);
    }
  if constexpr (Backend::on_device) {
    gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                              j.clock,    backend, numbers};
    return f(network);
  } else {
    gossip::simulator network{j.topology, model,   j.optimizer, j.exchange,
                              j.clock,    backend, numbers,     gossip::with_reference{}};
    return f(network);
  }
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
    if (!data) return network.run(j.settings, observers(j, &to, nullptr));
    return network.run(j.settings, gossip::split(data->first, j.split),
                       observers(j, &to, &data->second));
  });
}

}  // namespace simulate
