// The former place of <gossip/clock/clock.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/clock/clock.hpp>
