// The part of a network that this process holds: all of it, or one rank's share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/backend/host_machine.hpp>
#include <gossip/engine/device/row_operations.hpp>
#include <gossip/engine/device/rows.hpp>
#include <gossip/engine/device/scalars.hpp>
#include <gossip/engine/device/whole_rows.hpp>
#include <gossip/engine/distributed/engine.hpp>
#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/engine/host/stage_program.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_report.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/graph/partition.hpp>
#include <gossip/mixing/matrix.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/observer/report.hpp>
#include <gossip/op/neighborhood.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/resources.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/simulator/sizes.hpp>
#include <gossip/transport/single_process.hpp>

namespace gossip::detail {

/// The size of the largest part.
struct largest_part {
  std::size_t nodes;                       ///< that it holds
  std::size_t halo = 0;                    ///< nodes elsewhere that it listens to
  std::size_t borrowed = 0;                ///< rows with room for theirs
  bool staged = false;                     ///< mixtures take theirs in tiles
  std::size_t payloads = fleet_size::all;  ///< of messages
  std::size_t tiled = 0;                   ///< rows whose numbers tiles may take; 0: as usual

  /// The same with room for at most so many rows of other ranks, whole or in tiles.
  largest_part with_room(std::size_t rows) const {
    largest_part part = *this;
    part.borrowed = std::min(borrowed, rows);
    part.staged |= halo > part.borrowed;
    part.tiled = std::min(rows, staging().rows);
    return part;
  }
  halo_staging staging() const { return tiled > 0 ? halo_staging{tiled} : halo_staging::of(nodes); }

  fleet_size of(fleet_size whole) const {
    whole.held = nodes;
    whole.borrowed = whole.shared ? 0 : borrowed;
    whole.held_payloads = payloads;
    return whole;
  }
};

/// The rows that a rank takes in whole: a quarter of its own and four; in rounds, where whole rows
/// come only if all of them have room, those or four. A device takes them whole while they are no
/// more than twice its own: rows that come in tiles make it wait.
largest_part part_of(std::size_t nodes, std::size_t halo, bool in_rounds, bool on_device);

/// The same of a division. A rank that reads payloads of others has room for some.
largest_part part_of(rank_layout const &layout, std::size_t halo, bool in_rounds, bool on_device,
                     attached_owners const &attached);

/// The same with room for mixtures whose halo may be another than that of the graph: rows that do
/// not fit in come in tiles.
largest_part part_of(rank_layout const &layout, std::size_t halo, bool in_rounds, bool on_device,
                     attachments const &attached);

/// The part of a rank, before the graph is divided: the halo is at most this.
inline largest_part expected_part(std::size_t nodes, std::size_t edges, std::size_t ranks,
                                  bool in_rounds, bool on_device) {
  std::size_t const own = (nodes + ranks - 1) / ranks;
  if (ranks == 1) return {nodes};
  return part_of(own, std::min(nodes - own, 2 * edges / ranks), in_rounds, on_device);
}

/// Everything is here.
template <class Transport>
class placement {
 public:
  placement(Transport const &, graph const &network, attachments const &, bool, bool)
      : part_{network.nodes()} {}

  largest_part const &part() const { return part_; }
  static constexpr void take_in(std::size_t) {}
  static constexpr std::size_t most(std::size_t own) { return own; }

  /// The rows here, and their places in a fleet; none: owner i has row i.
  fleet_size here(fleet_size const &whole) const { return whole; }
  static std::vector<std::uint32_t> places() { return {}; }

  template <class Engine>
  typename Engine::inputs inputs(typename Engine::inputs const &of, fleet_size const &) const {
    return of;
  }
  template <class Engine>
  void complete(run_report &, Engine const &, std::size_t) const {}

 private:
  largest_part part_;
};

/// A rank's share of the nodes; what is borrowed follows from the rank that needs most.
template <class Transport>
  requires(Transport::spans_ranks)
class placement<Transport> {
 public:
  placement(Transport const &ranks, graph const &network, attachments const &attached,
            bool in_rounds, bool on_device)
      : ranks_(ranks), layout_(ranks.owners(network), ranks.size(), ranks.rank(), attached.owners) {
    division_ = describe(network, layout_.owners(), ranks.size());
    part_ = part_of(layout_, division_.most_halo, in_rounds, on_device, attached.owners);
    announced_ = part_of(layout_, division_.most_halo, in_rounds, on_device, attached);
  }

  /// The announced one.
  largest_part const &part() const { return announced_; }
  /// Ranks take in at most so many rows of others.
  void take_in(std::size_t rows) {
    part_ = part_.with_room(rows);
    announced_ = announced_.with_room(rows);
  }
  /// Of all ranks.
  std::size_t most(std::size_t own) const {
    std::vector<double> of{static_cast<double>(own)};
    ranks_.all_reduce_max(of);
    return static_cast<std::size_t>(of[0]);
  }

  fleet_size here(fleet_size whole) const {
    whole.held = layout_.own().size();
    whole.held_servers = layout_.held_servers();
    whole.held_payloads = layout_.held_payloads();
    whole.borrowed = whole.shared ? 0 : part_.borrowed;
    return whole;
  }
  std::vector<std::uint32_t> places() const { return layout_.places(part_.borrowed); }

  /// The inputs of an engine whose local ones these are.
  template <class Engine, class Local>
  typename Engine::inputs inputs(Local const &of, fleet_size const &whole) const {
    return {of, layout_, ranks_, whole, announced_.staging()};
  }

  /// Completes the report with numbers that only all ranks together know.
  template <class Engine>
  void complete(run_report &report, Engine const &engine, std::size_t ranks_a_device) const {
    report.traffic = engine.traffic(report.planning_seconds);
    report.traffic.cut_edges = division_.cut;
    std::vector<double> peaks{static_cast<double>(report.peak_resident_bytes),
                              static_cast<double>(ranks_a_device)};
    ranks_.all_reduce_max(peaks);
    report.peak_resident_bytes = static_cast<std::size_t>(peaks[0]);
    report.traffic.ranks_a_device = static_cast<std::size_t>(peaks[1]);
    if (report.tier) add_up(*report.tier);
  }

 private:
  /// What all ranks have moved, and how long the one that waited longest has waited.
  void add_up(tier_report &tier) const {
    std::vector<std::uint64_t> bytes{tier.bytes, tier.read, tier.written};
    std::vector<double> seconds{tier.waiting_seconds};
    ranks_.all_reduce_sum(std::span<std::uint64_t>(bytes));
    ranks_.all_reduce_max(seconds);
    tier.bytes = bytes[0];
    tier.read = bytes[1];
    tier.written = bytes[2];
    tier.waiting_seconds = seconds[0];
  }

  Transport const &ranks_;
  rank_layout layout_;
  partition_report division_;
  largest_part part_{}, announced_{};
};

/// Sizes of a run on which its memory depends, beside types.
struct run_extent {
  fleet_size size;
  largest_part part;
  operation_needs operations;  ///< of its first window
  std::size_t edges, batch = 0, data_bytes = 0;
};

/// Adds what operations need beside rows.
template <class T, class Row, class Engine, class Backend>
void add_operations(memory_need &need, run_extent const &run, Backend const &backend) {
  operation_needs const &seen = run.operations;
  std::size_t const matrices = matrix_bytes(run.size.nodes, seen, sizeof(T));
  std::size_t const columns = run.size.parameters;
  std::size_t const sums = seen.sums ? 2 * columns * sizeof(std::int64_t) : 0;
  need.working += sums;
  if constexpr (Backend::on_device) {
    using whole_rows = device_whole_rows<T, Row, Backend>;
    using scalars = device_scalars<T, Row, Backend>;
    if (seen.whole_rows > 0) need.working += whole_rows::bytes(columns, seen.at_once);
    if (seen.reduces_rows) need.working += scalars::bytes(columns, seen.at_once);
    need.host += matrices + (run.part.nodes < run.size.nodes ? sums : 0);
  } else {
    std::size_t const workers = std::min(backend.workers(), seen.at_once);
    using whole_rows = whole_row_program<T, typename Engine::fleet_type>;
    need.working += whole_rows::bytes(workers, seen.whole_rows, columns);
    need.plan += matrices;
  }
}

/// The machine that an engine runs on: a backend of the host whatever its type, or a device.
template <class T, class Backend>
auto machine_of(Backend const &backend) {
  if constexpr (Backend::on_device)
    return backend;
  else
    return host_machine<T>(backend);
}

/// Memory that a run needs in this process; where ranks share the nodes, with the tasks of a part.
template <class T, class Row, class Engine, class Model, class Backend>
memory_need need_of(run_extent const &run, Model const &model, Backend const &backend) {
  fleet_size const &size = run.size;
  largest_part const &part = run.part;
  auto const working_bytes = [&](std::size_t nodes) {
    auto const machine = machine_of<T>(backend);
    if constexpr (Backend::on_device)
      return Engine::working_bytes(model.held(), machine, nodes, run.batch, size.shared);
    else
      return Engine::working_bytes(model.held(), machine, nodes, run.batch, size.shared,
                                   part.nodes);
  };
  memory_need need{.rows = part.of(size).template bytes<Row>(), .data = run.data_bytes};
  need.plan = plan_bytes(size.nodes, run.edges, sizeof(T));
  need.model = size.parameters * sizeof(T);
  if (Backend::on_device || part.nodes < size.nodes)
    need.model += mean_in_parts_bytes<Row>(size.parameters);
  std::size_t const one = Backend::on_device ? part.nodes : 1;  // devices work on many at once
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
          (Backend::on_device ? 3 : 2) * numbers / 2 * sizeof(Row);  // apart, once mixed
    }
  } else {
    need.working = working_bytes(size.nodes);
  }
  if constexpr (!Backend::on_device) {
    need.device = model.held().device_bytes();
  } else {
    fleet_size const held = part.of(size);
    std::size_t const slots = size.every_slot_borrows ? size.slots() : 1;
    std::size_t const sent = part.nodes < size.nodes && !size.shared
                                 ? (held.rows_of_models() + held.payloads_here() + part.borrowed) *
                                       slots * size.parameters * sizeof(T)
                                 : 0;  // pinned memory through which rows travel
    need.host = need.plan + need.model + sent + device_rows<Row, Backend>::bytes(part.of(size)) +
                device_row_operations::bytes(held);
    need.plan = device_plan_bytes(size.nodes, row_writes<Row, T>::rounds);
    need.model = 0;
    if constexpr (requires { Backend::beside_buffers; }) need.working += Backend::beside_buffers;
  }
  add_operations<T, Row, Engine>(need, run, backend);
  return need;
}

/// Counts a copy of all rows, where settings ask for one.
inline void add_copy(memory_need &need, run_settings const &settings, bool on_device) {
  if (!settings.copy_of_state) return;
  need.copy = need.rows;
  if (on_device) need.host += need.copy;
}

/// Throws error where there is no room for a run, which goes without its copy first; returns the
/// number of ranks that share a device. Free memory is read before ranks meet: afterwards one may
/// go on and take some of it.
template <class Backend, class Transport>
std::size_t require_room(run_resources<Backend, Transport> const &resources, memory_need &need,
                         std::size_t data_bytes) {
  std::size_t const available = resources.available_bytes(),
                    host = resources.available_host_bytes();
  std::size_t const sharing = resources.ranks_a_device();
  // The training samples are there already.
  std::size_t const there = available / std::max<std::size_t>(sharing, 1) + data_bytes;
  if (need.total() > there || need.host > host) need.leave_copy_out();
  require_memory(need, there);
  require_host_memory(need, host);
  return sharing;
}

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/simulator/detail/placement.ipp>
#endif
