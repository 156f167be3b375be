// FedProx: the laws, its fixed point, and federated averaging without its term.
#include <gossip/exchange/fed_prox.hpp>

#include <gossip/topology/ring.hpp>

#include <cmath>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::fed_avg;
using gossip::fed_prox;
using gossip::ring;

TEST_CASE("FedProx keeps the laws of exchanges", "[exchange]") {
  check_exchange(fed_prox{{.local_steps = 2}, 0}, {});
  check_exchange(fed_prox{{.clients = 0, .local_steps = 2, .population = 40}, 0.3},
                 {.keeps_mean = false});
  check_with_loss(fed_prox{{.local_steps = 2}, 0.3}, {.keeps_mean = false});
}

// H steps lead to y - x = r a / (a + m) (b - x) with r = 1 - (1 - rate (a + m))^H.
TEST_CASE("FedProx settles where its local steps cancel", "[exchange]") {
  auto const valleys = alternating_valleys();
  for (double const proximal : {0.5, 3.0}) {
    double above = 0, below = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      double const a = valleys.curvature[i], bent = a + proximal;
      double const weight = (1 - std::pow(1 - 0.1 * bent, 5)) * a / bent;
      above += weight * valleys.optimum[i];
      below += weight;
    }
    auto const end = settled(ring{8}, fed_prox{{.local_steps = 5}, proximal}, 5 * 800);
    REQUIRE(end.rows.size() == 1);  // the server's
    CHECK(end.rows[0][0] == Approx(above / below).margin(1e-12));
    CHECK(std::abs(above / below + 0.673851) > 1e-3);  // of federated averaging
  }
}

TEST_CASE("FedProx without its term is federated averaging", "[exchange]") {
  fed_avg const plain{.clients = 3, .local_steps = 4};
  CHECK(settled(ring{8}, fed_prox{plain, 0}, 50).rows == settled(ring{8}, plain, 50).rows);
}

TEST_CASE("FedProx refuses a negative term, and what federated averaging refuses", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, fed_prox{{}, -1}, 1), contains("fed_prox: proximal"));
  CHECK_THROWS_WITH(settled(ring{8}, fed_prox{{.clients = 9}}, 1),
                    contains("at most 8, all nodes"));
}
