// Rows that a fleet hands out for the length of one operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>
#include <gossip/fleet/size.hpp>

namespace gossip {

/// Whatever ends with a lease.
class lease_end {
 public:
  lease_end() = default;
  lease_end(lease_end const &) = delete;
  lease_end &operator=(lease_end const &) = delete;
  virtual ~lease_end() = default;
};

/// Rows at hand: all columns of the rows of some owners, or some columns of the rows of all owners.
/// The rows stay at their addresses until the lease ends, and no longer; the fleet outlives it.
template <class T>
class leased_rows {
 public:
  using element = T;

  /// Memory of rows: slot 0, the slots behind it, and numbers between rows and between slots.
  struct memory {
    T *models, *others;
    std::size_t stride, from_slot_to_slot;
  };

  /// places: of the owners' rows in memory; none: owner i has row i. first: the column that memory
  /// begins with. end: destroyed when the lease ends; none: the rows stay where they are.
  leased_rows(fleet_size const &size, std::span<std::uint32_t const> places, memory const &where,
              std::size_t first, std::unique_ptr<lease_end> end = {})
      : size_(&size), places_(places), where_(where), first_(first), end_(std::move(end)) {}

  fleet_size const &size() const { return *size_; }
  std::size_t stride() const { return where_.stride; }
  memory const &where() const { return where_; }

  /// Owner i's row of a slot from a column on, which the lease must have: a lease of some columns
  /// need not have column 0. Nodes may share one row.
  T *row(std::size_t slot, node i, std::size_t column = 0) const {
    std::size_t const place = size_->shared ? 0 : places_.empty() ? i : places_[i];
    return begin(slot) + place * where_.stride + (column - first_);
  }

  /// Columns first to last of a slot of the nodes, (rows, last - first); they are here.
  rows_view<T> nodes(std::size_t slot, std::size_t first, std::size_t last) const {
    return {begin(slot) + (first - first_), size_->rows(), last - first, where_.stride};
  }

 private:
  T *begin(std::size_t slot) const {
    return slot == 0 ? where_.models : where_.others + (slot - 1) * where_.from_slot_to_slot;
  }

  fleet_size const *size_;
  std::span<std::uint32_t const> places_;
  memory where_;
  std::size_t first_;
  std::unique_ptr<lease_end> end_;
};

}  // namespace gossip
