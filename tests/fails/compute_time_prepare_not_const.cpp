// expect: gossip::virtual_clock: the compute times have a prepare that cannot be called as auto
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>

struct mine : gossip::constant_time {
#ifdef GOSSIP_FAILS
  gossip::constant_time prepare() { return *this; }
#else
  gossip::constant_time prepare() const { return *this; }
#endif
};

gossip::node_clock clock_of(mine const &times) {
  return {gossip::virtual_clock<mine>{.compute = times}, 4};
}
