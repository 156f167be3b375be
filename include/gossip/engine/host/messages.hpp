// Rows on their way between ranks where they lie in memory of the host: MPI reads and writes them
// in place, but for rows that have no place of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

template <class Fleet, class Ranks>
class host_messages {
  using Row = typename Fleet::element;

 public:
  /// mixed: the numbers of a row that travel. The rows outlive it.
  host_messages(Fleet const &rows, Ranks const &ranks, std::size_t mixed)
      : rows_(rows),
        mixed_(mixed),
        copies_(rows.in_memory() ? 0 : rows.size().borrowed * mixed),
        requests_(ranks.rows()) {
    if (rows.in_memory()) return;
    for (std::size_t k = rows.size().borrowed; k-- > 0;)
      free_.push_back(static_cast<std::uint32_t>(k));
  }

  /// The most sends that may begin now.
  std::size_t room() const {
    return rows_.in_memory() ? std::numeric_limits<std::size_t>::max() : free_.size();
  }

  /// There must be room. Node i's row of a slot must stay as it is until the ticket comes back.
  void send(std::uint32_t to, std::uint32_t tag, node i, std::size_t slot, std::uint32_t ticket) {
    auto const rows = rows_.whole(used_slots{.read = std::uint32_t{1} << slot}, i);
    std::span<Row const> row(rows.row(slot, i), mixed_);
    if (!rows_.in_memory()) {
      std::uint32_t const copy = free_.back();
      free_.pop_back();
      in_use_.emplace_back(ticket, copy);
      row = {std::ranges::copy(row, copies_.data() + copy * mixed_).out - mixed_, mixed_};
    }
    requests_.send(to, tag, std::as_bytes(row), ticket);
  }
  /// `into`: a borrowed row, see rank_layout, which has one address for the fleet's life.
  void receive(std::uint32_t from, std::uint32_t tag, node into, std::size_t slot,
               std::uint32_t ticket) {
    auto const rows = rows_.whole(changed_slots(std::uint32_t{1} << slot), into);
    requests_.receive(from, tag, std::as_writable_bytes(std::span(rows.row(slot, into), mixed_)),
                      ticket);
  }

  /// f(ticket) for every row that has left or arrived by now; whether there was one.
  template <class F>
  bool poll(F f) {
    return requests_.poll([&](std::uint32_t ticket) {
      auto const copy = std::ranges::find(in_use_, ticket, &copy_of_row::first);
      if (copy != in_use_.end()) {
        free_.push_back(copy->second);
        in_use_.erase(copy);
      }
      f(ticket);
    });
  }

  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  using copy_of_row = std::pair<std::uint32_t, std::uint32_t>;  // ticket, number of a copy

  Fleet const &rows_;
  std::size_t mixed_;
  host_buffer<Row>
      copies_;  // (borrowed, mixed) of rows on their way that have no place of their own
  std::vector<std::uint32_t> free_;
  std::vector<copy_of_row> in_use_;
  typename Ranks::requests requests_;
};

}  // namespace gossip
