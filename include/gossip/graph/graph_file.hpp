// The former place of <gossip/topology/graph_file.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/graph_file.hpp>
