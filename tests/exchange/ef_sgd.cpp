// SGD with error feedback: the laws, its limit, the paper's lines by hand, and bytes.
#include <gossip/exchange/ef_sgd.hpp>

#include <gossip/exchange/all_reduce.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "conformance.hpp"
#include "networks.hpp"

namespace gossip::test::feedback {

TEST_CASE("SGD with error feedback keeps the laws of exchanges", "[exchange]") {
  check_exchange(ef_sgd{.code = {.share = 0.3}}, {.keeps_mean = false, .one_model = true});
}

namespace {

/// 1, from round 3 on 1 / 2, from round 6 on 0.
struct two_steps {
  static double factor(double epoch) { return epoch < 3 ? 1.0 : epoch < 6 ? 0.5 : 0.0; }
};

template <class Optimizer>
watched_run run_of(some_exchange const &exchange, Optimizer const &optimizer, std::uint64_t count) {
  simulator network{ring{3},  scattered<5>{.drift = 0.25}, optimizer,
                    exchange, numbers<double>{},           cpu{.threads = 1}};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end);
}

}  // namespace

// Sums over nodes are cut to multiples of 2^-40 or finer.
TEST_CASE("error feedback that leaves out nothing is all-reduce", "[exchange]") {
  sgd const heavy{.rate = 0.1, .momentum = 0.9};
  auto const all = run_of(ef_sgd{.code = {.share = 1}}, heavy, 12).seen.back();
  auto const plain = run_of(all_reduce{}, heavy, 12).seen.back();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 5; ++c)
      CHECK(all.rows[i][c] == Approx(plain.rows[i % plain.rows.size()][c]).margin(1e-11));
}

// Two of five numbers travel; after three rounds the rate is halved, after six it is 0 and nothing
// moves.
TEST_CASE("SGD with error feedback is that by hand", "[exchange]") {
  std::array<double, 5> x{};
  std::array<std::array<double, 5>, 3> e{};
  for (std::uint64_t round = 0; round < 8; ++round) {
    double const rate = round < 3 ? 0.5 : round < 6 ? 0.25 : 0.0;
    std::array<double, 5> mean{};
    for (node i = 0; rate > 0 && i < 3; ++i) {
      for (std::size_t c = 0; c < 5; ++c)
        e[i][c] += rate * (round == 0 ? -scattered<5>::point(5, i, c) : 0.25);
      for (int k = 0; k < 2; ++k) {
        std::size_t most = 0;
        for (std::size_t c = 1; c < 5; ++c)
          if (std::abs(e[i][c]) > std::abs(e[i][most])) most = c;
        mean[most] += e[i][most] / 3;
        e[i][most] = 0;
      }
    }
    for (std::size_t c = 0; c < 5; ++c) x[c] -= mean[c];
    scheduled const optimizer{sgd{.rate = 0.5}, two_steps{}};
    auto const found = run_of(ef_sgd{.code = {.share = 0.4}}, optimizer, round + 1).seen.back();
    for (node i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 5; ++c) CHECK(found.rows[i][c] == Approx(x[c]).margin(1e-11));
  }
}

// Codes of two numbers and their columns go round a ring of three.
TEST_CASE("error feedback sends every code to all", "[exchange]") {
  CHECK(run_of(ef_sgd{.code = {.share = 0.4}}, sgd{.rate = 0.1}, 4).report.bytes_sent ==
        4 * 3 * 2 * (2 * (8 + 4)));
}

}  // namespace gossip::test::feedback
