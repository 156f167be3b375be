// The former place of <gossip/mixing/max_degree.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/max_degree.hpp>
