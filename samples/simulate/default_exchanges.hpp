// The exchanges that the driver offers, as they are where a configuration says nothing.
#pragma once

#include <utility>
#include <vector>

#include <gossip/simulator/any_exchange.hpp>

namespace simulate {

/// By their names in a configuration.
std::vector<std::pair<char const *, gossip::any_exchange>> default_exchanges();

}  // namespace simulate
