// The former place of <gossip/mixing/weights.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/weights.hpp>
