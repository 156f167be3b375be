// The former place of <gossip/transport/mpi/ranks.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/transport/mpi/ranks.hpp>

namespace gossip {
using live_channel = mpi_ranks;
}
