// expect: gossip::host_buffer: T must be trivial.
#include <gossip/backend/cpu/memory.hpp>

#include <string>

#ifdef GOSSIP_FAILS
gossip::host_buffer<std::string> const made;
#else
gossip::host_buffer<float> const made;
#endif
