// The rows of a run under a limit of memory: what of them memory holds, and where the rest lies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/fleet/file_store.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/memory.hpp>
#include <gossip/fleet/row_home.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/fleet/row_tier.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/tier_shape.hpp>
#include <gossip/observer/network_mean.hpp>
#include <gossip/simulator/settings.hpp>

namespace gossip::detail {

/// On what the shape of a tier depends, beside the budget.
struct tier_needs {
  fleet_size size;
  std::size_t workers;
  bool in_rounds;   ///< most operations go through the rows of all nodes
  bool can_stream;  ///< one process on a host, which executes levels
};

/// For people, three digits, rounded up.
inline std::string enough_bytes(std::uint64_t bytes) {
  std::uint64_t step = 1;
  while (bytes / step >= 1000) step *= 10;
  return format_bytes((bytes + step - 1) / step * step);
}

/// The smallest tier. A lease of whole rows has at least an owner for every worker, and
/// two for operations on two.
inline tier_shape least_tier(tier_needs const &run) {
  std::size_t const fair = run.size.owners() / tier_shape::leases_ahead;
  std::size_t const owners = std::max<std::size_t>(2, std::min(run.workers, fair));
  return {.frames = tier_shape::leases_ahead * owners,
          .owners = owners,
          .columns = lease_parts::unit,
          .by_owner = !run.in_rounds};
}

/// The tier that makes the most of a budget, which has room for the smallest one. Blocks get half
/// of it in rounds, and an eighth where they are for a few operations: wide blocks keep all cores
/// at work. More frames keep more rows, of which 16 MB are leased at a time, since there is nothing
/// to do while the first part of a level is read.
template <class Row>
tier_shape tier_within(tier_needs const &run, std::size_t budget) {
  constexpr std::size_t bytes_of_lease = std::size_t{16} << 20;
  tier_shape shape = least_tier(run);
  std::size_t const frame = shape.frame_numbers<Row>(run.size) * sizeof(Row);
  std::size_t const unit = tier_shape::blocks * shape.block_numbers<Row>(run.size) * sizeof(Row);
  std::size_t const share =
      std::min(budget / (run.in_rounds ? 2 : 8), budget - shape.frames * frame);
  std::size_t const row = tier_shape::row_numbers<Row>(run.size);
  std::size_t const most = (row + lease_parts::unit - 1) / lease_parts::unit;
  shape.columns *= std::clamp<std::size_t>(share / std::max<std::size_t>(unit, 1), 1, most);
  std::size_t const blocks = tier_shape::blocks * shape.block_numbers<Row>(run.size) * sizeof(Row);
  shape.frames = std::clamp((budget - blocks) / frame, shape.frames,
                            std::max(shape.frames, run.size.owners()));
  shape.owners = std::clamp(bytes_of_lease / frame, shape.owners,
                            std::max(shape.owners, shape.frames / tier_shape::leases_ahead));
  return shape;
}

/// The tier of a run whose process is to keep within settings.memory, none where all rows fit; need
/// is what the run needs with all rows in memory, and becomes what it needs so. given_bytes: of the
/// data that the caller keeps. Throws input_error where the limit is too small.
template <class Row>
std::optional<tier_shape> tier_of(tier_needs const &run, run_settings const &settings,
                                  std::size_t given_bytes, memory_need &need) {
  auto const windows = [&](bool by_owner) {  // bytes of the windows that observers look through
    return by_owner ? copied_bytes + mean_in_parts_bytes<Row>(run.size.parameters) : 0;
  };
  auto const streamed = [&](tier_shape const &shape) {
    need.rows = shape.bytes<Row>(run.size);
    need.stored = tier_shape::stored_bytes<Row>(run.size);
    need.model += windows(shape.by_owner);
    return shape;
  };
  if (settings.tier) {
    if (run.size.shared) throw input_error("tier", "rows of each node", "one row of all nodes");
    if (!run.can_stream)
      throw input_error("tier", "one process on a host, which executes by levels",
                        settings.engine == execution::levelled ? "ranks" : "the reference engine");
    settings.tier->check();
    return streamed(*settings.tier);
  }
  if (settings.memory == 0) return std::nullopt;
  std::size_t const resident = resident_bytes();
  std::size_t const there = std::max(resident, given_bytes);  // a dry run has no data yet
  std::size_t beside = there + need.total() - need.rows - std::min(given_bytes, need.data);
  if (beside + need.rows <= settings.memory) return std::nullopt;
  tier_shape const smallest = least_tier(run);
  beside += windows(smallest.by_owner);
  std::size_t const budget = settings.memory - std::min(settings.memory, beside);
  auto const refuse = [&](std::size_t rows, std::string const &of) {
    throw input_error("memory",
                      "at least " + enough_bytes(beside + rows) + ": " + enough_bytes(rows) + of +
                          ", and " + enough_bytes(beside) + " for all else",
                      format_bytes(settings.memory));
  };
  if (!run.can_stream)
    refuse(need.rows,
           " for rows, which can be read from a disk where one process on a host "
           "executes by levels");
  if (run.size.shared) refuse(need.rows, " for the one model of all nodes");
  std::size_t const least = smallest.bytes<Row>(run.size);
  if (least > budget)
    refuse(std::min(least, need.rows),
           " for rows, which are in use a few owners or columns at a time");
  return streamed(tier_within<Row>(run, budget));
}

/// The home of rows that a tier streams.
template <class Row, template <class> class Buffer>
std::unique_ptr<row_home<Row>> make_tier(fleet_size const &size, tier_shape const &shape,
                                         run_settings const &settings) {
  std::uint64_t const bytes = tier_shape::stored_bytes<Row>(size);
  std::unique_ptr<row_store> store = settings.store
                                         ? settings.store(bytes)
                                         : std::make_unique<file_store>(settings.scratch, bytes);
  return std::make_unique<row_tier<Row, Buffer>>(size, shape, std::move(store));
}

}  // namespace gossip::detail
