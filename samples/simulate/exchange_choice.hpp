// The exchanges that the driver offers, described, and the one that a configuration names.
#pragma once

#include <gossip/simulator/any_exchange.hpp>

#include "schema.hpp"

namespace simulate {

/// All of exchanges.hpp, as they are written in a configuration.
policy described_exchanges();

/// The one that a complete configuration names.
gossip::any_exchange exchange_named(json const &c);

}  // namespace simulate
