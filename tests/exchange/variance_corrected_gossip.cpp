// Buffered gossip that keeps variances: the laws, averages by a plain loop, the variance that
// averages lose, and nodes that only relay.
#include <gossip/exchange/variance_corrected_gossip.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/star.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::buffered_gossip;
using gossip::followed_variance;
using gossip::variance_corrected_gossip;

namespace {

using row_of_numbers = std::vector<double>;

double mean_of_numbers(row_of_numbers const &x) {
  double sum = 0;
  for (double const one : x) sum += one;
  return sum / static_cast<double>(x.size());
}

double variance_of_numbers(row_of_numbers const &x) {
  double const mean = mean_of_numbers(x);
  double sum = 0;
  for (double const one : x) sum += (one - mean) * (one - mean);
  return sum / static_cast<double>(x.size() - 1);
}

template <std::size_t Columns>
row_of_numbers first_model(gossip::node i) {
  row_of_numbers x;
  for (std::size_t c = 0; c < Columns; ++c) x.push_back(scattered<Columns>::point(5, i, c));
  return x;
}

/// Models after the first average of nodes that train at every tick: the run ends before the
/// second.
template <std::size_t Columns>
std::vector<row_of_numbers> averaged(std::size_t n, some_exchange const &exchange) {
  small_network network{gossip::complete{.nodes = n}, scattered<Columns>{},
                        gossip::sgd{.rate = 1.0}, exchange};
  return watched(network, {.seed = 5, .stop = gossip::rounds{2}}, at_the_end).seen.back().rows;
}

buffered_gossip every_tick(double keep) {
  return {.least = 1, .most = 1, .keep = keep};
}

}  // namespace

TEST_CASE("gossip that keeps variances keeps the laws of exchanges", "[exchange]") {
  for (auto const followed :
       {followed_variance::self, followed_variance::others, followed_variance::conservative})
    check_exchange(variance_corrected_gossip{{.least = 2, .most = 5}, followed},
                   {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("averages have the variance that they follow", "[exchange]") {
  constexpr std::size_t n = 5, d = 13;
  double const keep = 0.25;
  for (auto const followed :
       {followed_variance::self, followed_variance::others, followed_variance::conservative})
    for (double const smoothing : {0.0, 1e-4, 0.5}) {
      auto const found =
          averaged<d>(n, variance_corrected_gossip{every_tick(keep), followed, smoothing});
      for (gossip::node i = 0; i < n; ++i) {
        row_of_numbers x(d, 0.0);
        double others = 0;
        for (gossip::node j = 0; j < n; ++j) {
          auto const model = first_model<d>(j);
          if (i != j) others += variance_of_numbers(model) / (n - 1);
          for (std::size_t c = 0; c < d; ++c)
            x[c] += (i == j ? keep : (1 - keep) / (n - 1)) * model[c];
        }
        double const self = variance_of_numbers(first_model<d>(i));
        double const target = followed == followed_variance::self ? self
                              : followed == followed_variance::others
                                  ? others
                                  : keep * self + (1 - keep) * others;
        double const factor =
            std::sqrt((target + smoothing) / (variance_of_numbers(x) + smoothing));
        for (std::size_t c = 0; c < d; ++c)
          CHECK(found[i][c] ==
                Approx((x[c] - mean_of_numbers(x)) * factor + mean_of_numbers(x)).epsilon(1e-12));
        if (smoothing == 0) CHECK(variance_of_numbers(found[i]) == Approx(target).epsilon(1e-12));
      }
    }
}

// Numbers of different models are independent, of variance 1.
TEST_CASE("an average of independent models divides their variance, unless it is kept",
          "[exchange]") {
  constexpr std::size_t n = 9, d = 20000;
  auto const lost = averaged<d>(n, every_tick(0.0));
  auto const kept =
      averaged<d>(n, variance_corrected_gossip{every_tick(0.0), followed_variance::others});
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(variance_of_numbers(lost[i]) == Approx(1.0 / (n - 1)).epsilon(0.05));
    CHECK(variance_of_numbers(kept[i]) == Approx(1).epsilon(0.05));
  }
}

// The hub of a star sends what it has averaged, at first the common start; leaves take the model of
// the hub. After three averages the hub has the mean of the first models once more.
TEST_CASE("relays of buffered gossip send what they have averaged and never train", "[exchange]") {
  buffered_gossip exchange = every_tick(0.0);
  exchange.relays = 1;
  small_network network{gossip::star{4}, scattered<1>{}, gossip::sgd{.rate = 1.0}, exchange};
  auto const run = watched(network, {.seed = 5, .stop = gossip::rounds{3}}, at_the_end);
  double mean = 0;
  for (gossip::node i = 1; i < 4; ++i) mean += scattered<1>::point(5, i, 0) / 3;
  CHECK(run.report.node_iterations == 12);
  CHECK(run.seen.back().rows[0][0] == Approx(mean));
  for (std::size_t i = 1; i < 4; ++i) CHECK(run.seen.back().rows[i][0] == Approx(0).margin(1e-15));
}

TEST_CASE("gossip that keeps variances refuses what it cannot use", "[exchange]") {
  CHECK_THROWS_WITH(
      check_on(variance_corrected_gossip{{}, followed_variance::self, -1},
               gossip::complete{4}.build()),
      contains("variance_corrected_gossip: smoothing: expected a number of at least 0"));
  CHECK_THROWS_WITH((buffered_gossip{.relays = 4}.check(gossip::complete{4}.build())),
                    contains("buffered_gossip: relays: expected fewer than the 4 nodes, got 4"));
}
