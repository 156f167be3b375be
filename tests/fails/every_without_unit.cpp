// expect: gossip::every: the period must have a unit and stand first: every(epochs{1}, ...) or
// every(rounds
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/every.hpp>

#ifdef GOSSIP_FAILS
auto const often = gossip::every(5, gossip::consensus_distance{});
#else
auto const often = gossip::every(gossip::rounds{5}, gossip::consensus_distance{});
#endif
