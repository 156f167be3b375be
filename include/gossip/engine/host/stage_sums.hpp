// The sums that operations of a stage ask for: each once, and those of a node that read the same
// rows again and again together, so that a row becomes numbers in double once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/capacity.hpp>
#include <gossip/core/node.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// Keeps its room from stage to stage.
class stage_sums {
 public:
  struct row {
    std::uint8_t slot;
    node owner;
    friend bool operator==(row const &, row const &) = default;
  };
  struct sum {
    std::uint32_t operation;                     ///< its place in the stage
    std::array<std::uint8_t, most_rows> places;  ///< of its rows among those of the group
  };
  /// Sums that follow each other, and the rows whose numbers are worth making once; none where
  /// every sum takes its own.
  struct group {
    std::uint32_t first = 0, count = 0;
    std::uint32_t first_row = 0, rows = 0;
  };
  static constexpr std::size_t most_together = 64;  ///< rows of a group

  /// Of operations some of which make sums. in_double(operation): whether its function may be given
  /// the numbers of its rows in double, and they are others.
  template <class InDouble>
  void build(std::span<operation const> operations, InDouble in_double) {
    clear(operations.size());
    node owner = 0;
    for (std::size_t k = 0; k < operations.size(); ++k) {
      operation const &o = operations[k];
      auto const place = static_cast<std::uint32_t>(k);
      if (o.kind() != operation_kind::reduce_rows || is_made(operations, place)) continue;
      bool const alone = !in_double(o);
      if (alone || o.owner_of_scalar() != owner || open_.rows + o.rows.size() > most_together)
        close();
      owner = o.owner_of_scalar();
      sums_.push_back({place, {}});
      ++open_.count;
      if (!alone) add_rows(o);
    }
    close();
  }

  std::span<sum const> sums() const { return sums_; }
  std::span<group const> groups() const { return groups_; }
  std::span<row const> rows(group const &of) const {
    return {rows_.data() + of.first_row, of.rows};
  }
  /// Pairs of operations: one that needs not be executed, and one that makes the same scalar.
  std::span<std::pair<std::uint32_t, std::uint32_t> const> repeated() const { return repeated_; }

 private:
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  void clear(std::size_t operations) {
    grow_capacity(sums_, operations);
    grow_capacity(groups_, operations);
    sums_.clear();
    groups_.clear();
    rows_.clear();
    repeated_.clear();
    made_.clear();
    open_ = {};
    uses_ = 0;
  }

  /// Whether an operation before it makes the same sum; only rows of other nodes are likely to be
  /// named twice.
  bool is_made(std::span<operation const> operations, std::uint32_t place);

  void add_rows(operation const &o);

  /// Ends the open group; its rows count if sums read each of them twice.
  void close();

  std::vector<sum> sums_;
  std::vector<group> groups_;
  std::vector<row> rows_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> repeated_;
  std::vector<std::uint32_t> made_;  // a table by hash: operations of rows of other nodes
  group open_;
  std::size_t uses_ = 0;  // of the open group's rows
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/engine/host/detail/stage_sums.ipp>
#endif
