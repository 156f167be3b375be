// Sizes of a run on which its memory depends: the part of a network that a process holds, and what
// its plan shows.
#pragma once

#include <algorithm>
#include <cstddef>

#include <gossip/engine/distributed/local_matrix.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/plan/operation_needs.hpp>
#include <gossip/simulator/attachments.hpp>
#include <gossip/simulator/resources.hpp>
#include <gossip/simulator/settings.hpp>

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

/// Sizes of a run on which its memory depends, beside types.
struct run_extent {
  fleet_size size;
  largest_part part;
  operation_needs operations;  ///< of its first window
  std::size_t edges, batch = 0, data_bytes = 0;
};

/// Counts a copy of all rows, where settings ask for one.
inline void add_copy(memory_need &need, run_settings const &settings, bool on_device) {
  if (!settings.copy_of_state) return;
  need.copy = need.rows;
  if (on_device) need.host += need.copy;
}

/// Throws error where there is no room for a run, which goes without its copy first; returns the
/// number of ranks that share a device. Free memory is read before ranks meet: afterwards one may
/// go on and take some of it.
template <class Machine, class Transport>
std::size_t require_room(run_resources<Machine, Transport> const &resources, memory_need &need,
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
#include <gossip/simulator/detail/run_extent.ipp>
#endif
