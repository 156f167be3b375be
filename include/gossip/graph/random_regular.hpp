// The former place of <gossip/topology/random_regular.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/random_regular.hpp>
