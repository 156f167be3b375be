// The former place of <gossip/mixing/cast_weights.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/cast_weights.hpp>
