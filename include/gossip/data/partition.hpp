// The former place of <gossip/data/sample_assignment.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/data/sample_assignment.hpp>
