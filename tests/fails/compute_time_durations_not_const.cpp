// expect: gossip::virtual_clock: the compute times have durations, and what they prepare cannot be
#include <gossip/clock/clock.hpp>

struct mine {
  gossip::virtual_time duration(std::uint64_t, gossip::node, std::uint64_t) const {
    return gossip::virtual_time(1);
  }
#ifdef GOSSIP_FAILS
  void durations(std::uint64_t, gossip::node, std::uint64_t, gossip::next_durations &times) {
    times.fill(gossip::virtual_time(1));
  }
#else
  void durations(std::uint64_t, gossip::node, std::uint64_t, gossip::next_durations &times) const {
    times.fill(gossip::virtual_time(1));
  }
#endif
};

gossip::node_clock clock_of(mine const &times) {
  return {gossip::virtual_clock<mine>{.compute = times}, 4};
}
