// Laws 1 and 2 on the network that people train: LeNet-5 on the digits of the repository.
#include <gossip/data/digits.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/topology/ring.hpp>

#include "../exchange/conformance.hpp"

using namespace gossip::test;

TEST_CASE("LeNet-5 learns the same bits in both engines and on any number of threads", "[engine]") {
  auto const digits = gossip::digits("samples/data/digits");
  auto const run = [&](gossip::execution engine, std::size_t threads) {
    gossip::simulator network{gossip::ring{5},
                              gossip::lenet5{},
                              gossip::sgd{.rate = 0.05, .momentum = 0.9},
                              gossip::ad_psgd{},
                              gossip::cpu{.threads = threads},
                              gossip::with_reference{}};
    return watched(network, {.batch = 70, .stop = gossip::rounds{3}, .engine = engine}, at_the_end,
                   gossip::split(digits.first, gossip::iid{}));
  };
  auto const expected = run(gossip::execution::reference, 1);
  check_same(expected, run(gossip::execution::levelled, 1));
  check_same(expected, run(gossip::execution::levelled, 3));
}
