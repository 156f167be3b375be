// Messages, servers and timers: the laws for exchanges that use all of them.
#include "laws.hpp"
#include "message_exchanges.hpp"

TEST_CASE("messages by event keep the laws of exchanges", "[exchange]") {
  gossip::test::check_exchange(gossip::test::letters{},
                               {.keeps_mean = false, .reaches_mean = false});
  gossip::test::check_kind(gossip::test::letters{});
}

TEST_CASE("messages in rounds keep the laws of exchanges", "[exchange]") {
  gossip::test::check_exchange(gossip::test::rounds_of_letters{},
                               {.keeps_mean = false, .reaches_mean = false});
  gossip::test::check_kind(gossip::test::rounds_of_letters{},
                           {.loss = gossip::test::bursts(gossip::after_loss::send_again)});
}
