// expect: gossip::simulator: the exchange has remarks that cannot be called as
// std::vector<std::string> remarks(graph const &) const
#include <gossip/backend/serial.hpp>
#include <gossip/simulator/requirements.hpp>

#include <string>
#include <vector>

#include "../archetypes.hpp"

namespace archetypes = gossip::test::archetypes;

#ifdef GOSSIP_FAILS
struct mine : archetypes::exchange_in_rounds {
  std::vector<std::string> remarks(gossip::graph const &) { return {}; }
};
#else
struct mine : archetypes::exchange_in_rounds {
  std::vector<std::string> remarks(gossip::graph const &) const { return {}; }
};
#endif

constexpr bool met =
    gossip::requirements<archetypes::topology, archetypes::model, archetypes::optimizer, mine,
                         archetypes::compute_time, gossip::serial, float>::hold;
