// The former place of <gossip/topology/edge_list.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/edge_list.hpp>
