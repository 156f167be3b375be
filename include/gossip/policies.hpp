// The former name of gossip/gossip.hpp, which has all policies; it goes with version 0.3.0.
#pragma once

#pragma message("gossip/policies.hpp is deprecated: gossip/gossip.hpp has all policies")

#include <gossip/gossip.hpp>
