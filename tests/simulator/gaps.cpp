// The spectral gap in reports: that of the weights of the run, on a graph whose gaps NumPy gives.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gasloc.hpp>
#include <gossip/exchange/k_gt.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/exchange/matcha.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/swift.hpp>
#include <gossip/mixing/best_constant.hpp>
#include <gossip/mixing/lazy_metropolis.hpp>
#include <gossip/mixing/max_degree.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/exponential.hpp>

#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "../catch.hpp"

using namespace gossip;

namespace {

/// W. W. Zachary, "An information flow model for conflict and fission in small groups" (1977): 34
/// members of a karate club and 78 pairs, as networkx has them.
struct karate_club {
  graph build(std::uint64_t = 0) const {
    // clang-format off
    return graph::undirected(34, {
{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}, {0, 10}, {0, 11}, {0, 12},
{0, 13}, {0, 17}, {0, 19}, {0, 21}, {0, 31}, {1, 2}, {1, 3}, {1, 7}, {1, 13}, {1, 17}, {1, 19},
{1, 21}, {1, 30}, {2, 3}, {2, 7}, {2, 8}, {2, 9}, {2, 13}, {2, 27}, {2, 28}, {2, 32}, {3, 7},
{3, 12}, {3, 13}, {4, 6}, {4, 10}, {5, 6}, {5, 10}, {5, 16}, {6, 16}, {8, 30}, {8, 32}, {8, 33},
{9, 33}, {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33}, {18, 32}, {18, 33}, {19, 33},
{20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29}, {23, 32}, {23, 33},
{24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31}, {28, 33},
{29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}
    });
    // clang-format on
  }
};

plan_report planned(any_exchange const &exchange) {
  return simulator{karate_club{}, quadratic<8>{}, sgd{.rate = 0.1}, exchange}.dry_run(
      {.stop = rounds{8}}, {});
}

std::optional<double> gap_of(any_exchange const &exchange) {
  return planned(exchange).graph.spectral_gap;
}

}  // namespace

// 1 - ||W - J|| by NumPy 1.24.
TEST_CASE("the gap that a run reports is that of its own weights", "[simulator]") {
  REQUIRE(karate_club{}.build().edges() == 78);
  std::vector<std::pair<any_exchange, double>> const gaps{
      {d_psgd<>{}, 0.031236417947},
      {d_psgd<lazy_metropolis>{}, 0.016751347592},
      {d_psgd<max_degree>{}, 0.026029179261},
      {d_psgd<best_constant>{}, 0.027560307453},
      {k_gt<lazy_metropolis>{}, 0.016751347592},
      {swift<max_degree>{}, 0.026029179261},
      {gasloc<max_degree>{}, 0.026029179261}};
  for (auto const &[exchange, gap] : gaps) {
    CAPTURE(exchange.in_words().text());
    auto const found = planned(exchange).graph;
    REQUIRE(found.spectral_gap);
    CHECK(*found.spectral_gap == Approx(gap).epsilon(1e-9));
    CHECK(found.spectral_gap_converged);
  }
  simulator network{karate_club{}, quadratic<8>{}, sgd{.rate = 0.1}, d_psgd<max_degree>{}};
  CHECK(*network.run({.stop = rounds{1}}).graph.spectral_gap == Approx(0.026029179261));
}

TEST_CASE("a run without a matrix of weights reports no gap, and says so", "[simulator]") {
  std::vector<any_exchange> const without{
      none{},   all_reduce{}, local_sgd{}, epidemic_learning{},
      matcha{}, fed_avg{},    ad_psgd{},   gasloc<>{.partners = outer_partners::random_pairs}};
  for (any_exchange const &one : without) {
    CAPTURE(one.in_words().name);
    CHECK(!gap_of(one));
  }
  std::ostringstream text;
  text << planned(ad_psgd{}).graph;
  CHECK_THAT(text.str(), Catch::Contains("spectral gap  none without a matrix of weights"));
}

// Three rounds of pairs at distances 1, 2 and 4 average eight nodes: the product is J.
TEST_CASE("the gap of weights that change is that of a period's product", "[simulator]") {
  simulator const network{exponential{8}, quadratic<8>{}, sgd{.rate = 0.1}, d_psgd<one_peer>{}};
  CHECK(network.dry_run({.stop = rounds{8}}, {}).graph.spectral_gap == 1.0);
}
