// The former place of <gossip/live/metrics.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/live/metrics.hpp>

namespace gossip::live {
using figures = metrics;
}
