// expect: gossip::basic_any_exchange: holds an exchange, not a second any_exchange
#include <gossip/exchange/none.hpp>
#include <gossip/simulator/any_exchange.hpp>

#include "../archetypes.hpp"

using wider =
    gossip::basic_any_exchange<gossip::column_functions<gossip::test::archetypes::halved>>;

#ifdef GOSSIP_FAILS
wider const held = gossip::any_exchange(gossip::none{});
#else
wider const held = gossip::none{};
#endif
