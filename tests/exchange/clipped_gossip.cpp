// Clipped gossip: the laws, its limits, and a case by hand.
#include <gossip/exchange/clipped_gossip.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::clipping {

TEST_CASE("clipped gossip keeps the laws of exchanges", "[exchange]") {
  check_exchange(clipped_gossip{.radius = 0.75});
}

namespace {

double const everywhere = std::numeric_limits<double>::infinity();

// Node i starts at its own number, and then nobody learns.
std::vector<double> rounds_by_hand(double radius, std::vector<double> const &start,
                                   std::uint64_t count) {
  return mixed_numbers(path{3}, clipped_gossip<>{.radius = radius}, start, count);
}

// Rows of 17 nodes after a round; at the first they stand where `scattered` puts them.
template <class Exchange>
std::vector<std::vector<double>> scattered_rows(Exchange const &exchange, std::uint64_t count) {
  small_network network{ring{17}, scattered<5>{}, sgd{.rate = 1.0}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end).seen.back().rows;
}

double norm(std::vector<double> const &a, std::vector<double> const &b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return std::sqrt(sum);
}

}  // namespace

// Weights of Metropolis and Hastings are 1/3. Nodes at 0, 3, 9 and a radius of 2: node 0 moves by
// 2/3, node 1 by (-2 + 2)/3, node 2 by -2/3. Then 2/3, 3, 25/3: the same again, for 7/3 and 16/3
// are beyond the radius too; one after another node 1 would find node 0 elsewhere.
TEST_CASE("clipped gossip on a path of three nodes is that by hand", "[exchange]") {
  auto const once = rounds_by_hand(2.0, {0, 3, 9}, 1), twice = rounds_by_hand(2.0, {0, 3, 9}, 2);
  std::vector<double> const first{2.0 / 3, 3, 25.0 / 3}, second{4.0 / 3, 3, 23.0 / 3};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(once[i] == Approx(first[i]).margin(1e-15));
    CHECK(twice[i] == Approx(second[i]).margin(1e-15));
  }
  // 0 and 3 are within a radius of 4, 3 and 9 are not: 1, 3 + (-3 + 4)/3, 9 - 4/3.
  std::vector<double> const mixed{1, 10.0 / 3, 23.0 / 3};
  auto const wider = rounds_by_hand(4.0, {0, 3, 9}, 1);
  for (std::size_t i = 0; i < 3; ++i) CHECK(wider[i] == Approx(mixed[i]).margin(1e-15));
}

// x + sum w (x_j - x) rounds elsewhere than sum w x_j: a few units of 2^-53 for numbers of about 1,
// 12 rounds of three terms each.
TEST_CASE("without a radius clipped gossip is D-PSGD up to rounding", "[exchange]") {
  auto const clipped = scattered_rows(clipped_gossip<>{.radius = everywhere}, 12);
  auto const plain = scattered_rows(d_psgd<>{.order = mixing_order::adapt_then_combine}, 12);
  double most = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) most = std::max(most, norm(clipped[i], plain[i]));
  CHECK(most < 2e-15);
  CHECK(norm(scattered_rows(clipped_gossip<>{.radius = 0.5}, 12)[0], plain[0]) > 0.1);
}

TEST_CASE("a radius of 0 leaves every node alone", "[exchange]") {
  CHECK(scattered_rows(clipped_gossip<>{.radius = 0}, 3) == scattered_rows(none{}, 3));
}

TEST_CASE("a node moves no further than its weights times the radius", "[exchange]") {
  for (double const radius : {0.1, 0.5, 2.0}) {
    auto const start = scattered_rows(none{}, 1),
               after = scattered_rows(clipped_gossip<>{.radius = radius}, 1);
    double most = 0;
    for (std::size_t i = 0; i < start.size(); ++i) most = std::max(most, norm(start[i], after[i]));
    CHECK(most <= 2.0 / 3 * radius * (1 + 1e-12));
    CHECK(most > 0.3 * radius);
  }
}

TEST_CASE("a radius that is no length is refused", "[exchange]") {
  for (double const radius : {-1.0, std::nan("")})
    CHECK_THROWS_WITH(scattered_rows(clipped_gossip<>{.radius = radius}, 1),
                      contains("clipped_gossip: radius: expected a number of at least 0"));
}

}  // namespace gossip::test::clipping
