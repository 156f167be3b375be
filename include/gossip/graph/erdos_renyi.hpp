// The former place of <gossip/topology/erdos_renyi.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/erdos_renyi.hpp>
