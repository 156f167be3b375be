// Definitions of clock/message_network.hpp.
#pragma once

#include <gossip/clock/message_network.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE message_network::message_network(network_outline const &of, std::size_t nodes,
                                               std::size_t owners)
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

GOSSIP_INLINE std::optional<virtual_time> message_network::begin(virtual_time now, node from,
                                                                 node to, std::size_t bytes,
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

}  // namespace gossip
