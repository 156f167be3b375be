// expect: gossip::virtual_clock: compute must have virtual_time duration(uint64_t seed, node i,
#include <gossip/clock/clock.hpp>

struct in_seconds {
#ifdef GOSSIP_FAILS
  double duration(std::uint64_t, gossip::node, std::uint64_t) const { return 1.0; }
#else
  gossip::virtual_time duration(std::uint64_t, gossip::node, std::uint64_t) const {
    return std::chrono::seconds(1);
  }
#endif
};

gossip::virtual_clock<in_seconds> const made;
