// Lanes: how many a batch takes, and views strided by node.
#include <gossip/op/lanes.hpp>

#include <array>

#include "../catch.hpp"

TEST_CASE("a chunk takes 16, 32 or 64 lanes", "[op]") {
  for (auto const &[samples, lanes] : {std::pair{1U, 16U},
                                       {16U, 16U},
                                       {17U, 32U},
                                       {32U, 32U},
                                       {33U, 64U},
                                       {64U, 64U},
                                       {65U, 64U},
                                       {100'000U, 64U}})
    CHECK(gossip::lanes_for(samples) == lanes);
}

TEST_CASE("a strided view begins anew at every node", "[op]") {
  std::array<int, 6> numbers{0, 1, 2, 3, 4, 5};
  gossip::strided<int> const view{numbers.data(), 3};
  CHECK(*view.at(1) == 3);
  CHECK(*(view + 2).at(1) == 5);
  CHECK(gossip::strided<int const>(view).at(1) == numbers.data() + 3);
}
