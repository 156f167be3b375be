// Functions of gossip/backend/ that are no templates, compiled once for gossip::compiled.
#include <gossip/backend/cpu/detail/thread_count.ipp>
#include <gossip/backend/cpu/detail/thread_team.ipp>
#include <gossip/backend/cpu/detail/threads.ipp>
