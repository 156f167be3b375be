// DeMo: the laws, its limit, momenta and steps by a plain loop, and bytes; its iterates are those
// of NumPy in tests/reference.
#include <gossip/exchange/decoupled_momentum.hpp>

#include <gossip/codec/top_k.hpp>
#include <gossip/core/random.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::demo {

TEST_CASE("DeMo keeps the laws of exchanges", "[exchange]") {
  check_exchange(decoupled_momentum{.code = {.chunk = 3, .kept = 1}},
                 {.keeps_mean = false, .one_model = true});
}

namespace {

constexpr std::size_t columns = 6;
constexpr node nodes = 4;
using numbers_of_all = std::array<std::array<double, columns>, nodes>;

/// Columns differ by their noise.
quadratic<columns> const noisy_valleys{
    .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.5};

double gradient(node i, std::uint64_t step, std::size_t column, double x) {
  keyed_random random(5, purpose::synthetic_data, i, step);
  double noise = 0;
  for (std::size_t c = 0; c <= column; ++c) noise = random.normal();
  return noisy_valleys.curvature[i % 3] * (x - noisy_valleys.optimum[i % 4]) + 0.5 * noise;
}

step_decay const falling{.at = {6, 12}, .gamma = 0.5};
double rate_of(std::uint64_t round) {
  return round < 6 ? 0.25 : round < 12 ? 0.125 : 0.0625;
}

template <class Exchange>
watched_run run_of(Exchange const &exchange, std::uint64_t count) {
  small_network network{ring{nodes}, noisy_valleys, scheduled{sgd{.rate = 0.25}, falling},
                        exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end);
}

/// The momenta of all nodes in the place of their models, after a last round.
struct shows_momenta : decoupled_momentum<> {
  std::uint64_t last = 0;

  void on_round(auto &plan, round_number k) const {
    decoupled_momentum<>::on_round(plan, k);
    if (k + 1 == last) plan.assign_all(model_row, {{1, kept}});
  }
};

/// What the largest number of a chunk's transform stands for, from the formula.
std::vector<double> largest_wave(std::vector<double> const &v) {
  std::size_t const n = v.size();
  auto const wave = [&](std::size_t k, std::size_t i) {
    double const angle = std::numbers::pi * static_cast<double>((2 * i + 1) * k) / 2;
    return std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(n)) *
           std::cos(angle / static_cast<double>(n));
  };
  std::vector<double> y(n), left(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) y[k] += v[i] * wave(k, i);
  std::size_t most = 0;
  for (std::size_t k = 1; k < n; ++k)
    if (std::abs(y[k]) > std::abs(y[most])) most = k;
  for (std::size_t i = 0; i < n; ++i) left[i] = y[most] * wave(most, i);
  return left;
}

}  // namespace

// A momentum that were not 0 after a round would step on where the mean gradient has turned.
TEST_CASE("DeMo that leaves out nothing is SGD by signs of the mean gradient", "[exchange]") {
  std::array<double, columns> x{};
  for (std::uint64_t round = 0; round < 15; ++round) {
    std::array<double, columns> const before = x;
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (node i = 0; i < nodes; ++i) sum += gradient(i, round, c, before[c]);
      x[c] -= rate_of(round) * (sum > 0 ? 1.0 : -1.0);
    }
    auto const waves = run_of(decoupled_momentum{.code = {.chunk = 6, .kept = 6}}, round + 1);
    auto const all = run_of(decoupled_momentum<codec::top_k>{{.share = 1}}, round + 1);
    shows_momenta const momenta{{.code = {.chunk = 4, .kept = 4}}, round + 1};
    auto const kept = run_of(momenta, round + 1);
    for (node i = 0; i < nodes; ++i)
      for (std::size_t c = 0; c < columns; ++c) {
        CHECK(waves.seen.back().rows[i][c] == x[c]);
        CHECK(all.seen.back().rows[i][c] == x[c]);
        CHECK(kept.seen.back().rows[i][c] == 0);
      }
  }
}

// Chunks of four columns and of two send one number each. Of every node, what it has sent and what
// it keeps are its gradients, each times its rate and the momentum to the power of the rounds
// since.
TEST_CASE("DeMo is that by a plain loop", "[exchange]") {
  constexpr double momentum = 0.75;
  decoupled_momentum<> const exchange{.code = {.chunk = 4, .kept = 1}, .momentum = momentum};
  std::array<double, columns> x{};
  numbers_of_all m{}, gradients{}, sent{};
  for (std::uint64_t round = 0; round < 15; ++round) {
    std::array<double, columns> mean{};
    for (node i = 0; i < nodes; ++i) {
      for (std::size_t c = 0; c < columns; ++c) {
        double const g = rate_of(round) * gradient(i, round, c, x[c]);
        m[i][c] = momentum * m[i][c] + g;
        gradients[i][c] = momentum * gradients[i][c] + g;
        sent[i][c] *= momentum;
      }
      for (std::size_t first = 0; first < columns; first += 4) {
        std::size_t const size = std::min<std::size_t>(4, columns - first);
        auto const q = largest_wave({&m[i][first], &m[i][first] + size});
        for (std::size_t c = 0; c < size; ++c) {
          m[i][first + c] -= q[c];
          sent[i][first + c] += q[c];
          mean[first + c] += q[c] / nodes;
        }
      }
    }
    for (std::size_t c = 0; c < columns; ++c) x[c] -= rate_of(round) * (mean[c] > 0 ? 1 : -1);
    auto const found = run_of(exchange, round + 1).seen.back();
    auto const kept = run_of(shows_momenta{exchange, round + 1}, round + 1).seen.back();
    for (node i = 0; i < nodes; ++i)
      for (std::size_t c = 0; c < columns; ++c) {
        CHECK(found.rows[i][c] == x[c]);
        CHECK(kept.rows[i][c] == Approx(gradients[i][c] - sent[i][c]).margin(1e-13));
      }
  }
}

// Chunks of four columns and of two: a number each, and two bits for its frequency.
TEST_CASE("DeMo sends every code to all", "[exchange]") {
  decoupled_momentum<> const one{.code = {.chunk = 4, .kept = 1}};
  CHECK(run_of(one, 5).report.bytes_sent == 5 * 4 * 3 * (2 * 8 + 1));
}

TEST_CASE("DeMo refuses members that are not its own", "[exchange]") {
  graph const g = ring{4}.build();
  CHECK_THROWS_WITH(check_on(decoupled_momentum<>{.momentum = 1}, g),
                    contains("decoupled_momentum: momentum: expected a number from 0 to below 1"));
  CHECK_THROWS_WITH((decoupled_momentum{.code = {.chunk = 2, .kept = 3}}.check(g)),
                    contains("cosine_top_k: kept: expected 1 to the chunk"));
}

}  // namespace gossip::test::demo
