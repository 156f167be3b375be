// The former place of <gossip/topology/ring.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/ring.hpp>
