// d_psgd on many ranks.
#include <gossip/exchange/d_psgd.hpp>

#include "ranks.hpp"

TEST_CASE("d_psgd gives the bits of one process on every number of ranks", "[ranks]") {
  gossip::test::check_ranks(gossip::d_psgd{});
}

TEST_CASE("adapt then combine gives the bits of one process on every number of ranks", "[ranks]") {
  using namespace gossip;
  test::some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  d_psgd<> const exchange{.order = mixing_order::adapt_then_combine};
  for (std::size_t const n : {1, 3, 17})
    test::check_spread<float>(test::wheel{n}, exchange, heavy, test::tiny_classifier{},
                              test::six_rounds, split(test::tiny_images(), iid{}));
}
