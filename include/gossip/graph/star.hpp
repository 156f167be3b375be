// The former place of <gossip/topology/star.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/topology/star.hpp>
