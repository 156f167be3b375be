// The messages that are on their way, as far as they share the interfaces of nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <gossip/clock/contention.hpp>
#include <gossip/clock/fair_share.hpp>
#include <gossip/clock/link.hpp>
#include <gossip/clock/links.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// A time after another. Throws error where it is beyond 292 years.
inline virtual_time time_after(virtual_time t, virtual_time by) {
  if (by > virtual_time::max() - t)
    throw error("clock: the run takes more than 292 years of virtual time");
  return t + by;
}

/// Links and contention of a network.
struct network_outline {
  link all;
  differing_links differing;
  contention how = contention::none;

  /// Whether the end of a message is known when it begins, whatever its ends.
  bool is_plain() const { return how == contention::none && differing.empty(); }
};

/// The interfaces of owners, nodes and then servers. Messages begin in the order of time.
class message_network {
 public:
  message_network(network_outline const &of, std::size_t nodes, std::size_t owners);

  virtual_time latency(node from, node to) const { return links_.between(from, to).latency; }

  /// A message begins; the time at which its last byte leaves, or nothing where others decide: then
  /// take_ended() tells its item.
  std::optional<virtual_time> begin(virtual_time now, node from, node to, std::size_t bytes,
                                    std::uint32_t item);

  /// The time at which the next of those end that others decide on.
  virtual_time next() {
    return how_ == contention::fair_share ? shared_.next() : fair_share::never;
  }
  bool ends_by(virtual_time t) const { return shared_.ends_by(t); }
  std::uint32_t take_ended() { return shared_.take_ended(); }

 private:
  contention how_;
  link_table links_;
  fair_share shared_{{}};
  std::vector<virtual_time> sends_from_, receives_from_;  // (owners) when an interface is free
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/clock/detail/message_network.ipp>
#endif
