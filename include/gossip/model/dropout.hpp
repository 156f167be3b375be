// The former place of <gossip/model/layer/dropout.hpp>; it goes with version 0.3.0.
#pragma once

#include <gossip/model/layer/dropout.hpp>
