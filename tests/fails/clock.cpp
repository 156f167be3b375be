// Compute times that no clock can use.
#include <gossip/backend/serial.hpp>
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/simulator/requirements.hpp>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

// expect: gossip::virtual_clock: the compute times have durations, and what they prepare cannot be
namespace compute_time_durations_not_const {
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
}  // namespace compute_time_durations_not_const

// expect: gossip::virtual_clock: the compute times have a prepare that cannot be called as auto
namespace compute_time_prepare_not_const {
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
}  // namespace compute_time_prepare_not_const

// expect: gossip::simulator: the compute times must have virtual_time duration(uint64_t seed, node
namespace compute_time_without_duration {
struct instantly {};

template <class Compute>
using demands =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer,
                         archetypes::exchange_in_rounds, Compute, gossip::serial, float>;

#ifdef GOSSIP_FAILS
constexpr bool met = demands<instantly>::hold;
#else
constexpr bool met = demands<archetypes::compute_time>::hold;
#endif
}  // namespace compute_time_without_duration

// expect: gossip::virtual_clock: compute must have virtual_time duration(uint64_t seed, node i,
namespace virtual_clock_without_duration {
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
}  // namespace virtual_clock_without_duration
