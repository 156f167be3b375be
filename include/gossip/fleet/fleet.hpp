// The rows of all nodes: one matrix a slot, node-major and contiguous, with a size known
// beforehand. Matrices behind the first are of one size and lie one behind the other. Rows are
// handed out for the length of one operation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/rank_layout.hpp>
#include <gossip/fleet/size.hpp>

namespace gossip {

/// The most of a fleet that one lease has.
struct lease_parts {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);
  static constexpr std::size_t unit = 2048;  ///< columns; a block of op::reduction_tree

  std::size_t owners = all;  ///< of whole rows
  std::size_t columns =
      all;  ///< of the rows of all owners: a multiple of `unit`, at which parts end

  /// Throws input_error where nothing could be leased.
  void check() const {
    if (owners == 0) throw input_error("fleet: owners of a lease must be at least 1, got 0");
    if (columns != all && (columns == 0 || columns % unit != 0))
      throw input_error("fleet: columns of a lease", "a multiple of " + std::to_string(unit),
                        std::to_string(columns));
  }
};

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

  fleet_size const &size() const { return size_; }
  /// Numbers from one row to the next.
  std::size_t stride() const { return stride_; }
  std::span<std::uint32_t const> places() const { return places_; }
  lease_parts const &parts() const { return parts_; }

  /// The rows of an owner in some slots, bits of a set, until the lease ends.
  leased_rows<T> whole(std::uint32_t /*slots*/, node /*owner*/) const { return all(0); }
  /// The rows of several owners, a range of at most parts().owners of them.
  template <class Owners>
  leased_rows<T> whole(std::uint32_t /*slots*/, Owners const & /*owners*/) const {
    return all(0);
  }
  /// Columns first to last of the rows of all owners in some slots, bits of a set; at most
  /// parts().columns.
  leased_rows<T> columns(std::uint32_t /*slots*/, std::size_t first, std::size_t /*last*/) const {
    return all(first);
  }

  /// The parameters of a node (d), for programs that keep the rows in memory.
  T *parameters(node i) const { return whole(1, i).row(0, i); }

 private:
  std::size_t from_slot_to_slot() const { return size_.rows_in(1) * stride_; }

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
};

/// A number as an element of a row: itself, or the nearest in the format of 16 bits.
template <class Row, class T>
constexpr Row as_element(T number) {
  if constexpr (std::is_same_v<Row, T>)
    return number;
  else
    return Row::holding(static_cast<float>(rounded<Row>(number)));
}

/// f(part, items before it) for parts of a span of items with an owner each, as few as may be
/// leased.
template <class Fleet, class Item, class F>
void each_owners_part(Fleet const &rows, std::span<Item> all, F f) {
  for (std::size_t done = 0; done < all.size();) {
    std::size_t const count = std::min(rows.parts().owners, all.size() - done);
    f(all.subspan(done, count), done);
    done += count;
  }
}

/// f(leased rows, first, last) for columns first to last of the rows of all owners in some slots,
/// in as few parts as the fleet hands out.
template <class Fleet, class F>
void each_part(Fleet const &rows, std::uint32_t slots, std::size_t first, std::size_t last, F f) {
  std::size_t const most = rows.parts().columns;
  while (first < last) {
    std::size_t const end = first + std::min(last - first, most - first % most);
    f(rows.columns(slots, first, end), first, end);
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

/// Gives every node and server of a fleet in host memory the same parameters and zeros elsewhere;
/// every page has its memory from then on, so that a run does not stop for it.
template <class Row, template <class> class Buffer, class Backend, class T>
void start_all(fleet<Row, Buffer> const &rows, Backend const &backend, std::span<T const> start) {
  fleet_size const &size = rows.size();
  std::size_t const d = size.parameters;
  std::vector<node> const owners = owners_of_models(rows);
  if (owners.empty()) return;  // of a rank without nodes
  auto const first = rows.whole(fleet_size::every_slot, owners[0]);
  Row *const model = first.row(0, owners[0]);
  for (std::size_t c = 0; c < start.size(); ++c) model[c] = as_element<Row>(start[c]);
  backend.for_each(owners.size(), [&](std::size_t, std::size_t k) {
    auto const own = rows.whole(fleet_size::every_slot, owners[k]);
    if (k > 0) std::copy_n(model, d, own.row(0, owners[k]));
    for (std::size_t s = 1; s < size.slots(); ++s) std::fill_n(own.row(s, owners[k]), d, Row{});
  });
}

}  // namespace gossip
