// Muon over D-PSGD: the laws, and the step of a layer by plain loops.
#include <gossip/exchange/muon_d_psgd.hpp>

#include <gossip/model/layer/dense.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <cmath>
#include <vector>

#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test::muon {

namespace {

using layer = sequential<input<1, 1, 6>, dense<4>>;  // a matrix (4,6) and a vector of 4

// The direction of a node's first step: models after it at two rates, their difference by that of
// the rates.
std::vector<double> first_step(some_exchange const &exchange) {
  dataset const data =
      synthetic{.samples = 12, .shape = {1, 1, 6}, .classes = 4, .noise = 1.0}.build();
  auto const model_at = [&](double rate) {
    small_simulator network{some_topology{complete{1}}, layer{},
                            sgd{.rate = rate},          exchange,
                            numbers<double>{},          cpu{.threads = 1}};
    return watched(network, {.batch = 12, .stop = rounds{1}}, at_the_end, split(data, iid{}))
        .seen.back()
        .rows[0];
  };
  auto const slow = model_at(0.1), fast = model_at(0.2);
  std::vector<double> moved;
  for (std::size_t k = 0; k < slow.size(); ++k) moved.push_back((slow[k] - fast[k]) / 0.1);
  return moved;
}

}  // namespace

TEST_CASE("Muon over D-PSGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(muon_d_psgd<>{.momentum = 0});
  check_exchange(muon_d_psgd<>{.nesterov = false, .steps = 2},
                 {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("Muon steps by the gradient of a layer with rows made orthonormal", "[exchange]") {
  // The first step: m = g, so that any multiple of g gives the same orthogonal matrix.
  auto const gradient = first_step(d_psgd<>{.order = mixing_order::adapt_then_combine});
  auto const moved = first_step(muon_d_psgd<>{.momentum = 0.5});
  // X <- 3.4445 X - 4.7750 (X X^T) X + 2.0315 (X X^T)^2 X five times, from X / |X| on.
  constexpr std::size_t m = 4, n = 6;
  std::vector<double> x(gradient.begin(), gradient.begin() + m * n);
  double square = 0;
  for (double const value : x) square += value * value;
  for (double &value : x) value /= std::sqrt(square);
  auto const product_with_gram = [&](std::vector<double> const &y) {
    std::vector<double> result(m * n, 0.0);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        double dot = 0;
        for (std::size_t k = 0; k < n; ++k) dot += x[i * n + k] * x[j * n + k];
        for (std::size_t k = 0; k < n; ++k) result[i * n + k] += dot * y[j * n + k];
      }
    return result;
  };
  for (int turn = 0; turn < 5; ++turn) {
    auto const once = product_with_gram(x), twice = product_with_gram(once);
    for (std::size_t k = 0; k < m * n; ++k)
      x[k] = 3.4445 * x[k] - 4.7750 * once[k] + 2.0315 * twice[k];
  }
  REQUIRE(moved.size() == m * n + m);
  for (std::size_t k = 0; k < m * n; ++k) CHECK(moved[k] == Approx(x[k]).margin(1e-9));
  // The biases: g + 0.5 g.
  for (std::size_t k = m * n; k < m * n + m; ++k)
    CHECK(moved[k] == Approx(1.5 * gradient[k]).margin(1e-12));
}

TEST_CASE("Muon refuses what it cannot step by", "[exchange]") {
  CHECK_THROWS_WITH(check_on(muon_d_psgd<>{.momentum = 1}, ring{4}.build()),
                    contains("muon_d_psgd: momentum: expected a number from 0 to below 1"));
  CHECK_THROWS_WITH(check_on(muon_d_psgd<>{.steps = 0}, ring{4}.build()),
                    "muon_d_psgd: steps: expected a whole number from 1 to 100, got 0");
}

}  // namespace gossip::test::muon
