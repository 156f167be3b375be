// The former place of <gossip/mixing/metropolis_hastings.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/metropolis_hastings.hpp>
