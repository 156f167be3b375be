// Memory that an engine needs for a run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/engine/device/row_operations.hpp>
#include <gossip/engine/device/rows.hpp>
#include <gossip/engine/device/scalars.hpp>
#include <gossip/engine/device/whole_rows.hpp>
#include <gossip/engine/distributed/task_graph.hpp>
#include <gossip/engine/host/stage_program.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/simulator/run_extent.hpp>
#include <gossip/simulator/sizes.hpp>

namespace gossip::detail {

/// Adds what operations need beside rows. Machine: host_machine<T>, or a device.
template <class T, class Row, class Engine, class Machine>
void add_operations(memory_need &need, run_extent const &run, Machine const &machine) {
  operation_needs const &seen = run.operations;
  std::size_t const matrices = matrix_bytes(run.size.nodes, seen, sizeof(T));
  std::size_t const columns = run.size.parameters;
  std::size_t const sums = seen.sums ? 2 * columns * sizeof(std::int64_t) : 0;
  need.working += sums;
  if constexpr (Machine::on_device) {
    using whole_rows = device_whole_rows<T, Row, Machine>;
    using scalars = device_scalars<T, Row, Machine>;
    if (seen.whole_rows > 0) need.working += whole_rows::bytes(columns, seen.at_once);
    if (seen.reduces_rows) need.working += scalars::bytes(columns, seen.at_once);
    need.host += matrices + (run.part.nodes < run.size.nodes ? sums : 0);
  } else {
    std::size_t const workers = std::min(machine.workers(), seen.at_once);
    using whole_rows = whole_row_program<T, typename Engine::fleet_type>;
    need.working += whole_rows::bytes(workers, seen.whole_rows, columns);
    need.plan += matrices;
  }
}

/// Memory that a run needs in this process; where ranks share the nodes, with the tasks of a part.
template <class T, class Row, class Engine, class Model, class Machine>
memory_need need_of_engine(run_extent const &run, Model const &model, Machine const &machine) {
  fleet_size const &size = run.size;
  largest_part const &part = run.part;
  auto const working_bytes = [&](std::size_t nodes) {
    if constexpr (Machine::on_device)
      return Engine::working_bytes(model.held(), machine, nodes, run.batch, size.shared);
    else
      return Engine::working_bytes(model.held(), machine, nodes, run.batch, size.shared,
                                   part.nodes);
  };
  memory_need need{.rows = part.of(size).template bytes<Row>(), .data = run.data_bytes};
  need.plan = plan_bytes(size.nodes, run.edges, sizeof(T));
  need.model = size.parameters * sizeof(T);
  if (Machine::on_device || part.nodes < size.nodes)
    need.model += mean_in_parts_bytes<Row>(size.parameters);
  std::size_t const one = Machine::on_device ? part.nodes : 1;  // devices work on many at once
  std::size_t const rows = size.shared ? one : part.nodes + part.halo;
  if (part.nodes < size.nodes) {
    std::size_t const rounds = trainings_of_window(size.nodes) / size.nodes;
    need.plan += part.nodes * rounds * operations_of_a_training * (sizeof(rank_task) + 40);
    need.working = working_bytes(rows);
    if (!size.shared && part.staged) {
      std::size_t const ranks = (size.nodes + part.nodes - 1) / part.nodes;
      std::size_t const numbers =
          part.staging().numbers(part.nodes, part.halo, size.parameters, ranks);
      need.working +=
          (Machine::on_device ? 3 : 2) * numbers / 2 * sizeof(Row);  // apart, once mixed
    }
  } else {
    need.working = working_bytes(size.nodes);
  }
  if constexpr (!Machine::on_device) {
    need.device = model.held().device_bytes();
  } else {
    fleet_size const held = part.of(size);
    std::size_t const slots = size.every_slot_borrows ? size.slots() : 1;
    std::size_t const sent = part.nodes < size.nodes && !size.shared
                                 ? (held.rows_of_models() + held.payloads_here() + part.borrowed) *
                                       slots * size.parameters * sizeof(T)
                                 : 0;  // pinned memory through which rows travel
    need.host = need.plan + need.model + sent + device_rows<Row, Machine>::bytes(part.of(size)) +
                device_row_operations::bytes(held);
    need.plan = device_plan_bytes(size.nodes, row_writes<Row, T>::rounds);
    need.model = 0;
    if constexpr (requires { Machine::beside_buffers; }) need.working += Machine::beside_buffers;
  }
  add_operations<T, Row, Engine>(need, run, machine);
  return need;
}

}  // namespace gossip::detail
