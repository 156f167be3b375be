// Planners of all exchanges, which take a minute to compile: once, for all programs that offer
// them.
#include "exchange_choice.hpp"

#include <tuple>

#include "default_exchanges.hpp"
#include "described.hpp"
#include "exchanges.hpp"

namespace simulate {

policy described_exchanges() {
  return described_by(offered_exchanges());
}

gossip::any_exchange exchange_named(json const &c) {
  return made_among<gossip::any_exchange>(offered_exchanges(), c);
}

std::vector<std::pair<char const *, gossip::any_exchange>> default_exchanges() {
  std::vector<std::pair<char const *, gossip::any_exchange>> all;
  std::apply([&](auto const &...one) { (all.emplace_back(one.name, one), ...); },
             offered_exchanges());
  return all;
}

}  // namespace simulate
