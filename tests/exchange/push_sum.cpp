// Push-sum: the laws, the mean on a directed graph, and what it is without dividing.
#include "push_sum.hpp"

#include <cmath>
#include <vector>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

/// Seven nodes on a directed ring with chords from 0 to 3 and from 2 to 5: degrees differ.
struct ring_with_chords {
  graph build(std::uint64_t) const {
    return graph::directed(
        7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}, {0, 3}, {2, 5}});
  }
};

/// Of every node the model and the estimate, at the end.
struct both_rows {
  std::vector<std::pair<double, double>> *seen;

  template <class Context>
  void measure(Context &context, record &) {
    auto const &rows = context.rows();
    seen->clear();
    for (node i = 0; i < rows.size().nodes; ++i)
      seen->push_back({rows.row(0, i)[0], rows.row(1, i)[0]});
  }
  void take(record const &) {}
};

std::vector<std::pair<double, double>> after(std::uint64_t count, double drift) {
  std::vector<std::pair<double, double>> seen;
  simulator network{ring_with_chords{}, scattered<1>{.drift = drift}, sgd{.rate = 1.0}, push_sum{},
                    numbers<double>{},  openmp{.threads = 1}};
  network.run({.seed = 5, .stop = rounds{count}}, every(rounds{count}, both_rows{&seen}));
  return seen;
}

double mean_start() {
  double sum = 0;
  for (node i = 0; i < 7; ++i) sum += scattered<1>::point(5, i, 0);
  return sum / 7;
}

}  // namespace

TEST_CASE("push-sum keeps the laws of exchanges", "[exchange]") {
  check_exchange(push_sum{}, {.reaches_mean = false});
}

TEST_CASE("push-sum finds the mean on a directed graph whose degrees differ", "[exchange]") {
  double models = 0, estimates = 0;
  for (auto const &[model, estimate] : after(200, 0.0)) {
    CHECK(estimate == Approx(mean_start()).margin(1e-14));
    models += model;
    estimates += estimate;
  }
  CHECK(models == Approx(7 * mean_start()).margin(1e-13));
}

// P w = w with sum 7, by hand: w_1 = 2/3 w_0, w_2 = 1/2 w_0, w_3 = w_4 = w_0, w_5 = w_6 = 4/3 w_0.
TEST_CASE("without dividing, nodes of a directed graph end apart, by the eigenvector of P",
          "[exchange]") {
  std::vector<double> const expected{42, 28, 21, 42, 42, 56, 56};
  auto const seen = after(200, 0.0);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(seen[i].first / seen[i].second == Approx(expected[i] / 41).epsilon(1e-12));
}
