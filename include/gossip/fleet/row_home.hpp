// The place where rows of a fleet lie that memory has no room for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/tier_report.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

/// All rows are zero at first. Of a lease the rows of slots that are read are at hand with their
/// contents; rows of slots that are written and not read are at hand with any contents, and are
/// written in all their columns. A thread holds leases of whole rows or of columns, not both, and
/// ends them before it asks for the other kind. Borrowed rows are always in memory: of a lease of
/// whole rows they stay where they are behind its end, of a lease of columns they are copies, and
/// what is written to these is gone with it.
/// Functions that lease throw gossip::error where the home has failed.
template <class T>
class row_home {
 public:
  row_home() = default;
  row_home(row_home const &) = delete;
  row_home &operator=(row_home const &) = delete;
  virtual ~row_home() = default;

  /// The most of one lease.
  virtual lease_parts parts() const = 0;
  /// Whether operations on a few owners are to lease whole rows of these, and not columns of all
  /// rows, which then come one slot a lease.
  virtual bool prefers_owners() const = 0;

  virtual leased_rows<T> whole(std::span<owner_use const> uses) = 0;
  virtual leased_rows<T> columns(used_slots const &used, std::size_t first, std::size_t last) = 0;

  /// Owners in the order in which leases of whole rows are likely to name them until the next call.
  virtual void foresee(std::span<node const> order) = 0;
  /// A lease of these is likely to be the next one.
  virtual void expect(std::span<owner_use const> uses) = 0;
  virtual void expect_columns(used_slots const &used, std::size_t first) = 0;

  /// The memory that leased rows lie in.
  virtual std::vector<std::span<std::byte>> memory() const = 0;
  /// What has been moved so far.
  virtual tier_report report() const = 0;
};

}  // namespace gossip
