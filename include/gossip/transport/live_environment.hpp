// The former place of <gossip/transport/mpi/live_environment.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/transport/mpi/live_environment.hpp>
