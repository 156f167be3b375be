// The former place of <gossip/backend/cpu.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/backend/cpu.hpp>
