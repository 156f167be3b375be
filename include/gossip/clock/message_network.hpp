// The messages that are on their way, as far as they share the interfaces of nodes.
#pragma once

#include <algorithm>
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
  message_network(network_outline const &of, std::size_t nodes, std::size_t owners)
      : how_(of.how),
        links_(of.all, of.differing, nodes),
        sends_from_(how_ == contention::fifo_nic ? owners : 0, virtual_time{0}),
        receives_from_(sends_from_) {
    std::vector<double> rates;
    if (how_ == contention::fair_share)
      for (std::size_t i = 0; i < owners; ++i)
        rates.push_back(links_.interface_of(static_cast<node>(i)) * 1e-9);
    shared_ = fair_share(rates);
  }

  virtual_time latency(node from, node to) const { return links_.between(from, to).latency; }

  /// A message begins; the time at which its last byte leaves, or nothing where others decide: then
  /// take_ended() tells its item.
  std::optional<virtual_time> begin(virtual_time now, node from, node to, std::size_t bytes,
                                    std::uint32_t item) {
    link const way = links_.between(from, to);
    if (how_ == contention::fair_share) {
      shared_.begin(now, from, to, static_cast<double>(bytes), way.bandwidth * 1e-9, item);
      return std::nullopt;
    }
    virtual_time const flight = way.transfer(bytes) - way.latency;
    if (how_ == contention::none) return time_after(now, flight);
    virtual_time &sender = sends_from_[from], &receiver = receives_from_[to];
    return sender = receiver = time_after(std::max({now, sender, receiver}), flight);
  }

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
