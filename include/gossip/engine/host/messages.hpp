// Rows on their way between ranks where they lie in memory of the host: MPI reads and writes them
// in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <gossip/core/node.hpp>

namespace gossip {

template <class Fleet, class Ranks>
class host_messages {
 public:
  /// mixed: the numbers of a row that travel. The rows outlive it.
  host_messages(Fleet const &rows, Ranks const &ranks, std::size_t mixed)
      : rows_(rows), mixed_(mixed), requests_(ranks.rows()) {}

  /// Node i's row of a slot must stay as it is until the ticket comes back.
  void send(std::uint32_t to, std::uint32_t tag, node i, std::size_t slot, std::uint32_t ticket) {
    requests_.send(to, tag, bytes(i, slot), ticket);
  }
  /// `into`: a borrowed row, see rank_layout.
  void receive(std::uint32_t from, std::uint32_t tag, node into, std::size_t slot,
               std::uint32_t ticket) {
    requests_.receive(from, tag, bytes(into, slot), ticket);
  }

  /// f(ticket) for every row that has left or arrived by now; whether there was one.
  template <class F>
  bool poll(F f) {
    return requests_.poll(f);
  }

  std::uint64_t sent_bytes() const { return requests_.sent_bytes(); }

 private:
  std::span<std::byte> bytes(node i, std::size_t slot) const {
    return std::as_writable_bytes(std::span(rows_.row(slot, i), mixed_));
  }

  Fleet const &rows_;
  std::size_t mixed_;
  typename Ranks::requests requests_;
};

}  // namespace gossip
