// Another matrix in every round: the laws, and the same pairs without matrices.
#include "matching_exchanges.hpp"

#include <gossip/backend/serial.hpp>
#include <gossip/topology/random_regular.hpp>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test {

TEST_CASE("another matrix in every round keeps the laws of exchanges", "[exchange]") {
  check_exchange(random_matchings{});
}

// 500 matrices, of which an engine remembers some: (a + b) / 2 is a / 2 + b / 2 in binary.
TEST_CASE("pairs by matrices are pairs by averages", "[exchange]") {
  auto const digest = [](some_exchange const &exchange) {
    small_network network{random_regular{.nodes = 12, .degree = 3}, quadratic<6>{.noise = 1.0},
                          sgd{.rate = 0.1}, exchange};
    return hex(watched(network, {.seed = 5, .stop = rounds{500}}, at_the_end).report.digest);
  };
  CHECK(digest(random_matchings{}) == digest(random_pairs{}));
}

}  // namespace gossip::test
