// The rows of all nodes: one matrix a slot, node-major and contiguous, with a size known
// beforehand. Matrices behind the first are of one size and lie one behind the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/view.hpp>

namespace gossip {

/// The contents of a fleet, and the memory that they take.
struct fleet_size {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  std::size_t nodes;
  std::size_t parameters;      ///< d
  std::size_t optimizer_rows;  ///< rows a node beside its parameters
  bool shared;                 ///< one set of rows serves all nodes
  std::size_t held = all;      ///< nodes whose rows are here; fewer than all on one of many ranks
  std::size_t borrowed = 0;    ///< rows more, for those of other ranks' nodes
  std::size_t exchange_rows = 0;    ///< rows a node that the exchange keeps
  bool every_slot_borrows = false;  ///< whether rows besides parameters come from other ranks
  std::size_t servers = 0;          ///< of the network: owners with all slots, behind the nodes
  std::size_t payloads = 0;  ///< of the network: contents of messages, owners of slot 0 alone
  std::size_t held_servers = all, held_payloads = all;  ///< of those that are here
  std::size_t attackers = 0;  ///< the last of the nodes, whose numbers need not be finite

  /// Whether owner i is a node that attacks.
  constexpr bool attacks(std::size_t i) const { return i < nodes && nodes - i <= attackers; }

  /// Slot 0 holds parameters, the next what the optimizer keeps, the last what the exchange keeps.
  constexpr std::size_t slots() const { return 1 + optimizer_rows + exchange_rows; }
  constexpr std::size_t borrowed_in(std::size_t slot) const {
    return slot == 0 || every_slot_borrows ? borrowed : 0;
  }
  /// Rows of nodes that are here.
  constexpr std::size_t rows() const { return shared ? 1 : std::min(held, nodes); }
  /// And of servers.
  constexpr std::size_t rows_of_models() const { return rows() + std::min(held_servers, servers); }
  constexpr std::size_t payloads_here() const { return std::min(held_payloads, payloads); }
  /// Rows of a slot: those of nodes, of servers, borrowed ones, payloads.
  constexpr std::size_t rows_in(std::size_t slot) const {
    return rows_of_models() + borrowed_in(slot) + (slot == 0 ? payloads_here() : 0);
  }
  /// Nodes, servers and payloads are numbered one after another.
  constexpr std::size_t owners() const { return nodes + servers + payloads; }

  /// Numbers from one row to the next: whole cache lines, and never whole pages, so that a column
  /// of all rows does not fall on one set of the cache.
  template <class T>
  constexpr std::size_t stride() const {
    std::size_t const line = 64 / sizeof(T);
    std::size_t const lines = (parameters + line - 1) / line;
    return (lines % 64 == 0 ? lines + 1 : lines) * line;
  }

  template <class T>
  constexpr std::size_t bytes() const {
    std::size_t sum = 0;
    for (std::size_t s = 0; s < slots(); ++s) sum += rows_in(s);
    return sum * stride<T>() * sizeof(T);
  }
};

/// Owns the rows, zeroed. Buffer is the backend's memory.
template <class T, template <class> class Buffer>
class fleet {
 public:
  using element = T;

  /// places: which row is that of owner i, and of borrowed row k at owners() + k; none: row i.
  explicit fleet(fleet_size size, std::vector<std::uint32_t> places = {})
      : size_(size),
        stride_(size.template stride<T>()),
        places_(std::move(places)),
        models_(size.rows_in(0) * stride_),
        others_((size.slots() - 1) * from_slot_to_slot()) {}

  fleet_size const &size() const { return size_; }
  std::size_t stride() const { return stride_; }
  std::span<std::uint32_t const> places() const { return places_; }

  /// The matrix of a slot, (rows, d): of nodes alone.
  rows_view<T> slot(std::size_t s) const {
    return {begin(s), size_.rows(), size_.parameters, stride_};
  }

  /// Row of owner i in a slot; a shared fleet has one for all.
  T *row(std::size_t s, node i) const {
    std::size_t const place = size_.shared ? 0 : places_.empty() ? i : places_[i];
    return begin(s) + place * stride_;
  }
  T *parameters(node i) const { return row(0, i); }

  /// Numbers from a row of a slot behind the first to the same row of the next.
  std::size_t from_slot_to_slot() const { return size_.rows_in(1) * stride_; }

 private:
  T *begin(std::size_t s) const {
    return s == 0 ? models_.data() : others_.data() + (s - 1) * from_slot_to_slot();
  }

  fleet_size size_;
  std::size_t stride_;
  std::vector<std::uint32_t> places_;
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

/// Gives every node and server of a fleet in host memory the same parameters and zeros elsewhere;
/// every page has its memory from then on, so that a run does not stop for it.
template <class Row, template <class> class Buffer, class Backend, class T>
void start_all(fleet<Row, Buffer> const &rows, Backend const &backend, std::span<T const> start) {
  fleet_size const &size = rows.size();
  std::size_t const d = size.parameters, models = size.rows_of_models();
  if (models == 0) return;  // of a rank without nodes
  auto const at = [&](std::size_t s, std::size_t i) {
    return rows.slot(s).data + i * rows.stride();
  };
  for (std::size_t c = 0; c < start.size(); ++c) at(0, 0)[c] = as_element<Row>(start[c]);
  backend.for_each(models, [&](std::size_t, std::size_t i) {
    if (i > 0) std::copy_n(at(0, 0), d, at(0, i));
    for (std::size_t s = 1; s < size.slots(); ++s) std::fill_n(at(s, i), d, Row{});
  });
}

}  // namespace gossip
