// The former place of <gossip/transport/single_process.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/transport/single_process.hpp>

namespace gossip {
using one_process = single_process;
}
