// The former place of <gossip/mixing/spectrum.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/mixing/spectrum.hpp>
