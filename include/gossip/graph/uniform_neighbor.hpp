// The former place of <gossip/mixing/uniform_neighbor.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/uniform_neighbor.hpp>
