// expect: gossip::split: the policy must have partition assign(span<uint16_t const> labels, size_t
#include <gossip/data/split.hpp>

#include "../archetypes.hpp"

#ifdef GOSSIP_FAILS
struct policy {};
#else
using policy = gossip::test::archetypes::split_policy;
#endif

auto const bytes = sizeof(gossip::split<policy>);
