// Functions of gossip/transport/ that are no templates, compiled once for gossip::compiled.
#include <gossip/transport/detail/facts.ipp>
