// Sums of rows over a set of owners on the host: exact, so that no order of adding shows, whether
// of threads or of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <gossip/backend/cpu/row_sum.hpp>
#include <gossip/backend/host_machine.hpp>
#include <gossip/core/capacity.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/reproducible_sum.hpp>
#include <gossip/engine/host/column_tiles.hpp>
#include <gossip/engine/row_rounding.hpp>
#include <gossip/engine/sum_terms.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The owner of a row that takes a sum, and the write that rounds it.
struct sum_target {
  node owner;
  row_write write;
};

/// The fleet outlives it.
template <class T, class Fleet>
class network_sum {
  using Row = typename Fleet::element;

 public:
  network_sum(Fleet const &rows, column_counts const &columns) : rows_(rows), counts_(columns) {}

  /// owns(i): whether the rows of owner i are here; together(sums): adds those of others.
  template <class Owns, class Together>
  void run(host_machine<T> const &machine, operation const &o, plan_window const &window,
           row_writes<Row, T> &writes, Owns owns, Together together) {
    origin_ = o.first_column();
    std::size_t const end = end_of_columns(o, counts_), d = end - origin_;
    grow_capacity(sums_, 2 * d);
    sums_.assign(2 * d, 0);
    reproducible_sum const sums(sums_.data(), sums_.data() + d);
    std::uint8_t const from = o.rows.slot_of(true);
    std::atomic<bool> fits = true;
    used_slots const read{std::uint32_t{1} << from};
    list_owners(o, window, owns);
    each_tile_of(machine, owners_, read, end,
                 [&](auto const &rows, std::size_t first, std::size_t last) {
                   bool good = true;
                   each_term(o, window, rows_.size().nodes, [&](node i, double weight) {
                     if (!owns(i)) return;
                     good &= add(sums, weight, rows.row(from, i, first), first, last);
                   });
                   if (!good) fits = false;
                 });
    if (!fits)
      refuse_sum(
          o, window, rows_.size().nodes, end,
          [&](node i, std::size_t c) -> double {
            return static_cast<T>(*rows_.whole(read, i).row(from, i, c));
          },
          owns);
    together(std::span<std::int64_t>(sums_));
    targets_.clear();
    each_writer(o, rows_.size(), [&](node i) {
      if (owns(i)) targets_.push_back({i, writes.next(i)});
    });
    if (targets_.empty()) return;
    used_slots const changed = changed_slots(std::uint32_t{1} << o.slot());
    each_tile_of(machine, std::array{o.a}, changed, end,
                 [&](auto const &rows, std::size_t first, std::size_t last) {
                   put(rows, sums, o.slot(), first, last);
                 });
  }

 private:
  static constexpr std::size_t at_once = 512;  // columns

  /// f(rows of a slot, first, last) for tiles of the sum's columns: of some owners, or of all where
  /// the sum lists none.
  template <class F>
  void each_tile_of(host_machine<T> const &machine, std::span<node const> owners,
                    used_slots const &used, std::size_t last, F f) const {
    auto const tiles = [&](auto const &rows, std::size_t begin, std::size_t end) {
      each_tile(machine, begin, end, [&](std::size_t, std::size_t first, std::size_t tile_end) {
        f(rows, first, tile_end);
      });
    };
    if (!lists_) return each_part(rows_, used, origin_, last, tiles);
    if (owners.empty()) return;
    tiles(rows_.whole(used, owners), origin_, last);
  }

  /// The owners here of a sum's terms, where a lease has room for their whole rows and columns of
  /// all rows would be more.
  template <class Owns>
  void list_owners(operation const &o, plan_window const &window, Owns owns) {
    owners_.clear();
    lists_ = rows_.prefers_owners() && uses_of(o).every_node.slots() == 0;
    if (!lists_) return;
    each_term(o, window, rows_.size().nodes, [&](node i, double) {
      if (owns(i)) owners_.push_back(i);
    });
    std::ranges::sort(owners_);
    owners_.erase(std::ranges::unique(owners_).begin(), owners_.end());
    lists_ = owners_.size() <= rows_.parts().owners;
  }

  /// row: from column first on.
  bool add(reproducible_sum const &sums, double weight, Row const *row, std::size_t first,
           std::size_t last) const {
    if constexpr (std::is_same_v<Row, T>) {
      return host::add_columns(sums, weight, row, first - origin_, last - first);
    } else {
      bool good = true;
      T values[at_once];
      for (std::size_t begin = first; begin < last; begin += at_once) {
        std::size_t const count = std::min(at_once, last - begin);
        for (std::size_t c = 0; c < count; ++c) values[c] = static_cast<T>(row[begin - first + c]);
        good &= host::add_columns(sums, weight, values, begin - origin_, count);
      }
      return good;
    }
  }

  void put(leased_rows<Row> const &rows, reproducible_sum const &sums, std::uint8_t slot,
           std::size_t first, std::size_t last) const {
    T values[at_once];
    for (std::size_t begin = first; begin < last; begin += at_once) {
      std::size_t const end = std::min(begin + at_once, last);
      for (std::size_t c = begin; c < end; ++c)
        values[c - begin] = static_cast<T>(sums.take_value(c - origin_));
      for (sum_target const &to : targets_)
        put_columns(to.write, slot, values, begin, end, rows.row(slot, to.owner, begin), begin);
    }
  }

  Fleet const &rows_;
  column_counts counts_;
  std::size_t origin_ = 0;          // the first column of the sum at work
  std::vector<std::int64_t> sums_;  // (2, columns)
  std::vector<sum_target> targets_;
  std::vector<node> owners_;  // of the sum's terms, if it lists them
  bool lists_ = false;
};

}  // namespace gossip
