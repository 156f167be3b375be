// Messages that are on their way at the same time, and their share of the network.
#pragma once

#include <array>

#include <gossip/core/described.hpp>

namespace gossip {

/// A node has a network interface that sends and one that receives, each of the link's bandwidth.
enum class contention {
  none,       ///< every message has the whole link
  fifo_nic,   ///< an interface serves one message at a time, in the order of their beginnings
  fair_share  ///< max-min fair shares of the interfaces, anew whenever a message begins or ends
};

template <>
struct value_names<contention> {
  static constexpr std::array<char const *, 3> names{"none", "fifo_nic", "fair_share"};
};

}  // namespace gossip
