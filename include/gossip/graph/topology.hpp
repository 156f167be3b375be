// The former place of <gossip/topology/topology.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/topology.hpp>
