// Max pooling: the winning value, the path of the gradient, and values that no window covers.
#include <gossip/op/pool.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gossip/backend/serial.hpp>
#include <gossip/core/random.hpp>

#include "../catch.hpp"

namespace op = gossip::op;

namespace {

/// The results of pooling, forward and back, of one node.
struct pooled {
  std::vector<double> out;
  std::vector<std::uint8_t> winner;
  std::vector<double> in_gradient;
};

template <op::pool_shape S>
pooled pool(std::vector<double> const &in, std::vector<double> const &out_gradient,
            std::size_t lanes) {
  pooled p{std::vector<double>(S.out_size() * lanes),
           std::vector<std::uint8_t>(S.out_size() * lanes), std::vector<double>(in.size(), -7.0)};
  gossip::serial::worker const worker;
  worker.max_pool(
      1, op::max_pool<S, double>{{in.data(), 0}, {p.out.data(), 0}, {p.winner.data(), 0}, lanes});
  worker.for_each(
      1, S.out_size(), lanes,
      op::max_pool_back<S, double>{
          {out_gradient.data(), 0}, {p.winner.data(), 0}, {p.in_gradient.data(), 0}, lanes});
  worker.for_each(1, S.channels * S.height * S.width, lanes,
                  op::clear_uncovered<S, double>{{p.in_gradient.data(), 0}, lanes});
  return p;
}

template <op::pool_shape S>
void check_random(std::size_t lanes) {
  gossip::keyed_random random(1, gossip::purpose::user, 0, lanes);
  std::vector<double> in(S.channels * S.height * S.width * lanes);
  std::vector<double> gradient(S.out_size() * lanes);
  for (double &x : in) x = static_cast<double>(random.below(4));  // many ties
  for (double &g : gradient) g = random.normal();
  pooled const got = pool<S>(in, gradient, lanes);
  std::vector<double> expected(in.size(), 0.0);
  for (std::size_t row = 0; row < S.out_size(); ++row)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::size_t const c = row / (S.out_height() * S.out_width());
      std::size_t const y = row / S.out_width() % S.out_height() * S.window;
      std::size_t const x = row % S.out_width() * S.window;
      std::size_t best = ((c * S.height + y) * S.width + x) * lanes + lane;
      for (std::size_t dy = 0; dy < S.window; ++dy)
        for (std::size_t dx = 0; dx < S.window; ++dx) {
          std::size_t const at = ((c * S.height + y + dy) * S.width + x + dx) * lanes + lane;
          if (in[at] > in[best]) best = at;
        }
      REQUIRE(got.out[row * lanes + lane] == in[best]);
      expected[best] = gradient[row * lanes + lane];
    }
  CHECK(got.in_gradient == expected);
}

}  // namespace

TEST_CASE("the greatest of a window wins and takes the gradient", "[op]") {
  pooled const p = pool<{1, 2, 4, 2}>({1, 2, 8, 7, 4, 3, 5, 6}, {10, 20}, 1);
  CHECK(p.out == std::vector<double>{4, 8});
  CHECK(p.winner == std::vector<std::uint8_t>{2, 0});
  CHECK(p.in_gradient == std::vector<double>{0, 0, 20, 0, 10, 0, 0, 0});
}

TEST_CASE("of equals the first in the window wins", "[op]") {
  pooled const p = pool<{1, 2, 2, 2}>({1, 3, 3, 3}, {10}, 1);
  CHECK(p.winner == std::vector<std::uint8_t>{1});
  CHECK(p.in_gradient == std::vector<double>{0, 10, 0, 0});
  CHECK(pool<{1, 2, 2, 2}>({-0.0, 0.0, 0.0, -0.0}, {10}, 1).winner == std::vector<std::uint8_t>{0});
}

TEST_CASE("values that no window covers get no gradient", "[op]") {
  // 3 x 5 under windows of 2: the last row and the last column are dropped.
  pooled const p = pool<{1, 3, 5, 2}>({1, 0, 0, 2, 9, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9}, {10, 20}, 1);
  CHECK(p.out == std::vector<double>{1, 2});
  CHECK(p.in_gradient == std::vector<double>{10, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a window with a value that is not a number gives none", "[op]") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t at = 0; at < 4; ++at) {
    std::vector<double> in{1, 2, 3, 4};
    in[at] = nan;
    pooled const p = pool<{1, 2, 2, 2}>(in, {10}, 1);
    CHECK(std::isnan(p.out[0]));
    CHECK(p.winner[0] == at);
  }
}

TEST_CASE("pooling agrees with its definition on any shape", "[op]") {
  for (std::size_t const lanes : {1, 2, 3, 17}) {
    check_random<{1, 1, 1, 1}>(lanes);
    check_random<{2, 4, 4, 2}>(lanes);
    check_random<{3, 7, 5, 2}>(lanes);
    check_random<{2, 7, 8, 3}>(lanes);
    check_random<{1, 15, 16, 15}>(lanes);
  }
}
