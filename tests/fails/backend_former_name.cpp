// expect: gossip::openmp is called gossip::cpu
#include <gossip/gossip.hpp>

#ifdef GOSSIP_FAILS
auto const backend = gossip::openmp{.threads = 2};
#else
auto const backend = gossip::cpu{.threads = 2};
#endif
