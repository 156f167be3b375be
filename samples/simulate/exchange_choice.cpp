// Planners of all exchanges, which take a minute to compile: once, for all programs that offer
// them.
#include "exchange_choice.hpp"

#include "described.hpp"
#include "exchanges.hpp"

namespace simulate {

policy described_exchanges() {
  return described_by(offered_exchanges());
}

gossip::any_exchange exchange_named(json const &c) {
  return made_among<gossip::any_exchange>(offered_exchanges(), c);
}

}  // namespace simulate
