// The former place of <gossip/topology/matrix_market.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/matrix_market.hpp>
