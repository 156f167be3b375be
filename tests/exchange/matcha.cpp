// MATCHA: the laws, D-PSGD where all edges are at work, and the bytes of its budget.
#include <gossip/exchange/matcha.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/active_matchings.hpp>
#include <gossip/topology/ring.hpp>

#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::matcha;
using gossip::ring;

namespace {

/// All matchings at work, as a rule.
struct all_at_work {
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    auto const all = gossip::matchings_for(g, 1);
    return all.weights(g, std::vector<bool>(all.matchings.size(), true));
  }
};

}  // namespace

TEST_CASE("MATCHA keeps the laws of exchanges", "[exchange]") {
  check_exchange(matcha{.budget = 0.6}, {.reaches_mean = false});
}

TEST_CASE("MATCHA with the budget of all edges is D-PSGD", "[exchange]") {
  gossip::d_psgd<all_at_work> const adapting{.order = gossip::mixing_order::adapt_then_combine};
  CHECK(settled(ring{8}, matcha{.budget = 1}, 57).rows == settled(ring{8}, adapting, 57).rows);
}

// A ring of eight has two matchings of four edges, by symmetry each at work half of the time.
TEST_CASE("MATCHA sends its budget", "[exchange]") {
  small_network network{ring{8}, alternating_valleys(), gossip::sgd{.rate = 0.1}, matcha{}};
  auto const sent = watched(network, {.stop = gossip::rounds{1000}}, at_the_end).report.bytes_sent;
  CHECK(static_cast<double>(sent) == Approx(1000 * 8 * sizeof(double)).epsilon(0.06));
}

TEST_CASE("MATCHA says its share, what a round leaves and the connectivity", "[exchange]") {
  auto const said = matcha{}.remarks(ring{8}.build());
  REQUIRE(said.size() == 1);
  CHECK(said[0] ==
        "matcha: alpha is 0.6074, rho 0.7839, and the connectivity of the expected graph 0.2929, "
        "with 2 matchings");
}

TEST_CASE("MATCHA refuses a budget of nothing", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, matcha{.budget = 0}, 1),
                    contains("matcha: budget: expected a number above 0 and at most 1, got 0"));
}
