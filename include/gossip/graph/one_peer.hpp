// The former place of <gossip/mixing/one_peer.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/one_peer.hpp>
