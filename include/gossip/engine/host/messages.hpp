// Rows on their way between ranks where they lie in memory of the host: MPI reads and writes them
// in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/fleet/leased_rows.hpp>
#include <gossip/fleet/used_slots.hpp>

namespace gossip {

template <class Fleet, class Ranks>
class host_messages {
 public:
  /// mixed: the numbers of a row that travel. The rows outlive it.
  host_messages(Fleet const &rows, Ranks const &ranks, std::size_t mixed)
      : rows_(rows), mixed_(mixed), requests_(ranks.rows()) {}

  /// Node i's row of a slot must stay as it is until the ticket comes back.
  void send(std::uint32_t to, std::uint32_t tag, node i, std::size_t slot, std::uint32_t ticket) {
    requests_.send(to, tag, leased(i, slot, ticket), ticket);
  }
  /// `into`: a borrowed row, see rank_layout.
  void receive(std::uint32_t from, std::uint32_t tag, node into, std::size_t slot,
               std::uint32_t ticket) {
    requests_.receive(from, tag, leased(into, slot, ticket), ticket);
  }

  /// f(ticket) for every row that has left or arrived by now; whether there was one.
  template <class F>
  bool poll(F f) {
    return requests_.poll([&](std::uint32_t ticket) {
      spare_.push_back(on_their_way_.extract(ticket));
      f(ticket);
    });
  }

  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  /// The row's bytes, leased until its ticket comes back.
  std::span<std::byte> leased(node i, std::size_t slot, std::uint32_t ticket) {
    auto row = rows_.whole(changed_slots(std::uint32_t{1} << slot), i);
    auto const bytes = std::as_writable_bytes(std::span(row.row(slot, i), mixed_));
    if (spare_.empty()) {
      on_their_way_.emplace(ticket, std::move(row));
      return bytes;
    }
    auto entry = std::move(spare_.back());
    spare_.pop_back();
    entry.key() = ticket;
    entry.mapped() = std::move(row);
    on_their_way_.insert(std::move(entry));
    return bytes;
  }

  Fleet const &rows_;
  std::size_t mixed_;
  using leases = std::unordered_map<std::uint32_t, leased_rows<typename Fleet::element>>;
  leases on_their_way_;                            // by ticket
  std::vector<typename leases::node_type> spare_;  // entries to be used again
  typename Ranks::requests requests_;
};

}  // namespace gossip
