// The rows of a run under a limit of memory: what of them memory holds, and where the rest lies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/planned_leases.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/simulator/run_extent.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// On what the shape of a tier depends, beside the budget; on ranks the same on all of them.
struct tier_needs {
  fleet_size size;  ///< of the network
  largest_part part{};
  std::size_t workers;
  std::size_t resident = 0;  ///< bytes of memory that a process has
  bool in_rounds;            ///< most operations go through the rows of all nodes
  bool can_stream;           ///< executes levels, or tasks of a rank

  /// Of a process.
  fleet_size held() const { return part.of(size); }
};

/// What any rank needs of each part; most(number): the largest of all ranks.
template <class Most>
memory_need most_of(memory_need need, Most most) {
  for (auto const part : {&memory_need::rows, &memory_need::working, &memory_need::data,
                          &memory_need::plan, &memory_need::model, &memory_need::copy})
    need.*part = most(need.*part);
  return need;
}

/// The smallest tier. A lease of whole rows has at least an owner for every worker, and
/// two for operations on two.
inline tier_shape least_tier(tier_needs const &run) {
  std::size_t const fair = run.held().owners_here() / tier_shape::leases_ahead;
  std::size_t const owners = std::max<std::size_t>(2, std::min(run.workers, fair));
  return {.frames = tier_shape::leases_ahead * owners,
          .owners = owners,
          .columns = lease_parts::unit,
          .by_owner = !run.in_rounds};
}

/// Rows of others that a rank takes in at a time, whole or in tiles, under a limit of memory: of a
/// thirty-second of it, and four at least.
template <class Row>
std::size_t rows_taken_in(fleet_size const &size, std::size_t limit) {
  constexpr std::size_t least = 4, share = 32;
  std::size_t const frame = tier_shape{}.frame_numbers<Row>(size) * sizeof(Row);
  return std::max(least, limit / share / frame);
}

/// The tier that makes the most of a budget, which has room for the smallest one. Blocks get half
/// of it in rounds, and an eighth where they are for a few operations: wide blocks keep all cores
/// at work. More frames keep more rows, of which 16 MB are leased at a time, since there is nothing
/// to do while the first part of a level is read.
template <class Row>
tier_shape tier_within(tier_needs const &run, std::size_t budget) {
  constexpr std::size_t bytes_of_lease = std::size_t{16} << 20;
  fleet_size const size = run.held();
  tier_shape shape = least_tier(run);
  std::size_t const frame = shape.frame_numbers<Row>(size) * sizeof(Row);
  budget -= size.borrowed * frame;
  std::size_t const unit = tier_shape::blocks * shape.block_numbers<Row>(size) * sizeof(Row);
  std::size_t const share =
      std::min(budget / (run.in_rounds ? 2 : 8), budget - shape.frames * frame);
  std::size_t const row = tier_shape::row_numbers<Row>(size);
  std::size_t const most = (row + lease_parts::unit - 1) / lease_parts::unit;
  shape.columns *= std::clamp<std::size_t>(share / std::max<std::size_t>(unit, 1), 1, most);
  std::size_t const blocks = tier_shape::blocks * shape.block_numbers<Row>(size) * sizeof(Row);
  shape.frames = std::clamp((budget - blocks) / frame, shape.frames,
                            std::max(shape.frames, size.owners_here()));
  shape.owners = std::clamp(bytes_of_lease / frame, shape.owners,
                            std::max(shape.owners, shape.frames / tier_shape::leases_ahead));
  return shape;
}

/// The tier of a run whose processes are to keep within settings.memory each, none where all rows
/// fit; need is what a process needs with all rows in memory, and becomes what it needs so.
/// given_bytes: of the data that the caller keeps. need_with(part): the need of a run of ranks that
/// take in fewer rows. Throws input_error where the limit is too small.
template <class Row, class NeedWith>
std::optional<tier_shape> tier_of(tier_needs run, run_settings const &settings,
                                  std::size_t given_bytes, memory_need &need, NeedWith need_with) {
  std::string const engine = "the levelled engine of a host";
  bool const by_hand = settings.tier.has_value();
  std::size_t const there = std::max(run.resident, given_bytes);  // a dry run has no data yet
  auto const beside_rows = [&](memory_need const &all) {
    return there + all.total() - all.rows - std::min(given_bytes, all.data);
  };
  auto const fits = [&] { return !by_hand && beside_rows(need) + need.rows <= settings.memory; };
  if (fits()) return std::nullopt;
  need.leave_copy_out();
  if (fits()) return std::nullopt;
  auto const refuse = [&](std::size_t rows, std::string const &of, std::size_t beside) {
    throw input_error("memory",
                      "at least " + enough_bytes(beside + rows) + ": " + enough_bytes(rows) + of +
                          ", and " + enough_bytes(beside) + " for all else",
                      format_bytes(settings.memory));
  };
  if (by_hand && run.size.shared)
    throw input_error("tier", "rows of each node", "one row of all nodes");
  if (by_hand && !run.can_stream) throw input_error("tier", engine, "the reference engine");
  if (!run.can_stream)
    refuse(need.rows, " for rows, which " + engine + " can read from a disk", beside_rows(need));
  if (run.size.shared) refuse(need.rows, " for the one model of all nodes", beside_rows(need));

  std::size_t const all_rows = need.rows;
  run.part = run.part.with_room(rows_taken_in<Row>(run.size, settings.memory));
  need = need_with(run.part);
  fleet_size const size = run.held();
  bool const by_owner = by_hand ? settings.tier->by_owner : least_tier(run).by_owner;
  if (by_owner)  // windows that observers look through
    need.model += copied_bytes + mean_in_parts_bytes<Row>(size.parameters);
  need.working += size.borrowed * size.parameters * sizeof(Row);  // copies of rows that leave
  need.plan += planned_leases::bytes(size.numbers_of_owners(), size.owners_here());
  need.stored = tier_shape::stored_bytes<Row>(size);
  std::size_t const beside = beside_rows(need);
  auto const streamed = [&](tier_shape const &shape) {
    need.rows = shape.bytes<Row>(size);
    return shape;
  };
  if (by_hand) {
    settings.tier->check();
    return streamed(*settings.tier);
  }
  std::size_t const budget = settings.memory - std::min(settings.memory, beside);
  if (std::size_t const least = least_tier(run).bytes<Row>(size); least > budget)
    refuse(std::min(least, all_rows),
           " for rows, which are in use a few owners or columns at a time", beside);
  return streamed(tier_within<Row>(run, budget));
}

/// The tier of a run under the limit that settings name, none without a limit; see tier_of.
/// most(number): the largest of all ranks, which then have the same tier and refuse the same
/// limits, whatever threads they have. need_with(run): the need of a run with another part.
template <class Row, class Machine, class NeedWith, class Most>
std::optional<tier_shape> tier_under_limit(Machine const &machine, bool in_rounds,
                                           run_settings const &settings, run_extent &run,
                                           memory_need &need, NeedWith need_with, Most most) {
  if (settings.memory == 0 && !settings.tier) return std::nullopt;
  if constexpr (Machine::on_device) {
    throw input_error("memory", "no limit of a run on a GPU, whose memory its rows lie in",
                      format_bytes(settings.memory));
  } else {
    need = most_of(need, most);
    return tier_of<Row>({.size = run.size,
                         .part = run.part,
                         .workers = most(machine.workers()),
                         .resident = most(resident_bytes()),
                         .in_rounds = in_rounds,
                         .can_stream = settings.engine == execution::levelled},
                        settings, run.data_bytes, need, [&](largest_part const &part) {
                          run.part = part;
                          return most_of(need_with(run), most);
                        });
  }
}

}  // namespace gossip::detail
