// The rows of all nodes: one matrix a slot, node-major and contiguous, with a size known
// beforehand. Matrices behind the first are of one size and lie one behind the other. Rows are
// handed out for the length of one operation. Where memory has no room for all, they lie in a
// row_home.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/lease_parts.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/row_home.hpp>
#include <gossip/fleet/size.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

/// Owns the rows, zeroed. Buffer is the backend's memory.
template <class T, template <class> class Buffer>
class fleet {
 public:
  using element = T;

  /// places: which row is that of owner i, and of borrowed row k at owners() + k; none: row i.
  /// parts: the most of one lease. Throws input_error where these are none.
  explicit fleet(fleet_size size, std::vector<std::uint32_t> places = {}, lease_parts parts = {})
      : size_(size),
        stride_(size.template stride<T>()),
        places_(std::move(places)),
        parts_(parts),
        models_(size.rows_in(0) * stride_),
        others_((size.slots() - 1) * from_slot_to_slot()) {
    parts_.check();
  }
  /// Rows that lie elsewhere; places as in memory.
  fleet(fleet_size size, std::unique_ptr<row_home<T>> home, std::vector<std::uint32_t> places = {})
      : size_(size),
        stride_(size.template stride<T>()),
        places_(std::move(places)),
        parts_(home->parts()),
        home_(std::move(home)) {
    parts_.check();
  }

  fleet_size const &size() const { return size_; }
  /// Numbers from one row to the next, where all rows are in memory.
  std::size_t stride() const { return stride_; }
  std::span<std::uint32_t const> places() const { return places_; }
  lease_parts const &parts() const { return parts_; }
  /// True for a fleet whose rows are all in memory, each at one address for the fleet's life.
  bool in_memory() const { return home_ == nullptr; }
  /// See row_home.
  bool prefers_owners() const { return home_ && home_->prefers_owners(); }

  /// Whole rows of some owners, parts().owners of them at most, until the lease ends.
  leased_rows<T> whole(std::span<owner_use const> uses) const {
    return in_memory() ? all(0) : home_->whole(uses);
  }
  leased_rows<T> whole(used_slots const &used, std::span<node const> owners) const {
    return in_memory() ? all(0) : home_->whole(uses_of_all(owners, used));
  }
  leased_rows<T> whole(used_slots const &used, node owner) const {
    return whole(used, std::span(&owner, 1));
  }
  /// Columns first to last of the rows of all owners in some slots; at most parts().columns.
  leased_rows<T> columns(used_slots const &used, std::size_t first, std::size_t last) const {
    if (in_memory()) return all(first);
    return home_->columns(used, first, last);
  }

  /// See row_home; there must be one.
  void foresee(std::span<node const> order) const { home_->foresee(order); }
  /// Names rows that are likely to be leased next.
  void expect(std::span<owner_use const> uses) const {
    if (home_) home_->expect(uses);
  }
  void expect(used_slots const &used, std::span<node const> owners) const {
    if (home_) home_->expect(uses_of_all(owners, used));
  }
  void expect_columns(used_slots const &used, std::size_t first) const {
    if (home_) home_->expect_columns(used, first);
  }

  /// The memory that leased rows lie in.
  std::vector<std::span<std::byte>> memory() const {
    if (home_) return home_->memory();
    std::vector<std::span<std::byte>> all;
    for (auto const *const part : {&models_, &others_})
      if (part->size() > 0)
        all.push_back({reinterpret_cast<std::byte *>(part->data()), part->bytes()});
    return all;
  }

  /// The parameters of a node (d). Throws gossip::error where rows are not in memory.
  T *parameters(node i) const {
    if (!in_memory())
      throw error(
          "rows: parameters(i) needs a run that keeps all rows in memory; this run has a limit of "
          "memory: lease the row by whole(), or take each_row() or each_window()");
    return all(0).row(0, i);
  }

 private:
  std::size_t from_slot_to_slot() const { return size_.rows_in(1) * stride_; }

  static std::vector<owner_use> uses_of_all(std::span<node const> owners, used_slots const &used) {
    std::vector<owner_use> uses;
    for (node const i : owners) uses.push_back({i, used});
    return uses;
  }

  leased_rows<T> all(std::size_t first) const {
    auto const from = [&](auto const &rows) {
      return rows.size() > 0 ? rows.data() + first : nullptr;
    };
    return {size_, places_, {from(models_), from(others_), stride_, from_slot_to_slot()}, first};
  }

  fleet_size size_;
  std::size_t stride_;
  std::vector<std::uint32_t> places_;
  lease_parts parts_;
  Buffer<T> models_, others_;  // slot 0; the slots behind it
  std::unique_ptr<row_home<T>> home_;
};

/// A number as an element of a row: itself, or the nearest in the format of 16 bits.
template <class Row, class T>
constexpr Row as_element(T number) {
  if constexpr (std::is_same_v<Row, T>)
    return number;
  else
    return Row::holding(static_cast<float>(rounded<Row>(number)));
}

/// f(leased rows, part, owners before it) for the whole rows of owners in some slots, in as few
/// parts as the fleet hands out.
template <class Fleet, class F>
void each_owners_part(Fleet const &rows, used_slots const &used, std::span<node const> all, F f) {
  auto const part = [&](std::size_t done) {
    return all.subspan(done, std::min(rows.parts().owners, all.size() - done));
  };
  for (std::size_t done = 0; done < all.size();) {
    auto const now = part(done);
    auto const here = rows.whole(used, now);
    if (done + now.size() < all.size()) rows.expect(used, part(done + now.size()));
    f(here, now, done);
    done += now.size();
  }
}

/// f(leased rows, first, last) for columns first to last of the rows of all owners in some slots,
/// in as few parts as the fleet hands out.
template <class Fleet, class F>
void each_part(Fleet const &rows, used_slots const &used, std::size_t first, std::size_t last,
               F f) {
  std::size_t const most = rows.parts().columns;
  while (first < last) {
    std::size_t const end = first + std::min(last - first, most - first % most);
    auto const here = rows.columns(used, first, end);
    if (end < last) rows.expect_columns(used, end);
    f(here, first, end);
    first = end;
  }
}

/// The owners below `count` that a fleet has rows of, or would have if nodes did not share one;
/// ascending.
template <class Fleet>
std::vector<node> held_owners(Fleet const &rows, std::size_t count) {
  std::vector<node> held;
  for (std::size_t i = 0; i < count; ++i)
    if (rows.places().empty() || rows.places()[i] != rank_layout::elsewhere)
      held.push_back(static_cast<node>(i));
  return held;
}

/// The same of owners that have all slots: nodes, or the one row that they share, and servers.
template <class Fleet>
std::vector<node> owners_of_models(Fleet const &rows) {
  fleet_size const &size = rows.size();
  return size.shared ? std::vector<node>{0} : held_owners(rows, size.nodes + size.servers);
}

/// Gives every node and server of a fleet that nobody has written the same parameters, and zeros
/// elsewhere; in host memory every page has its memory from then on, so that a run does not stop
/// for it.
template <class Row, template <class> class Buffer, class Backend, class T>
void start_all(fleet<Row, Buffer> const &rows, Backend const &backend, std::span<T const> start) {
  fleet_size const &size = rows.size();
  std::size_t const slots = rows.in_memory() ? size.slots() : 1;  // elsewhere zeros are there
  std::vector<Row> model(start.size());
  std::ranges::transform(start, model.begin(), [](T x) { return as_element<Row>(x); });
  std::vector<node> const owners = owners_of_models(rows);
  used_slots const written{0, 1};
  each_owners_part(rows, written, owners, [&](auto const &here, auto part, std::size_t) {
    backend.for_each(part.size(), [&](std::size_t, std::size_t k) {
      std::ranges::copy(model, here.row(0, part[k]));
      for (std::size_t s = 1; s < slots; ++s)
        std::fill_n(here.row(s, part[k]), size.parameters, Row{});
    });
  });
}

}  // namespace gossip
