// Asynchronous SGD with a parameter server: the laws, and three gradients by hand.
#include <gossip/exchange/parameter_server.hpp>

#include <gossip/clock/constant_time.hpp>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::parameter_server;

TEST_CASE("the parameter server keeps the laws of exchanges", "[exchange]") {
  check_exchange(parameter_server{}, {.keeps_mean = false});
}
