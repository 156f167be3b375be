// DeepSqueeze: the laws, its limits, and rounds by hand.
#include <gossip/exchange/deep_squeeze.hpp>

#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include <gossip/codec/cast.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::squeezing {

TEST_CASE("deep squeeze keeps the laws of exchanges", "[exchange]") {
  check_exchange(deep_squeeze{.code = {.share = 0.3}, .share = 0.5}, {.reaches_mean = false});
}

namespace {

struct choice {
  std::variant<codec::top_k> kind;

  auto with(auto f) const { return std::visit(f, kind); }
  void check() const {
    with([](auto const &one) { one.check(); });
  }
};

template <class Exchange>
watched_run rows_after(Exchange const &exchange, std::uint64_t count) {
  small_network network{ring{9}, scattered<6>{}, sgd{.rate = 0.5}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end);
}

}  // namespace

TEST_CASE("a choice of codecs is the codec that was chosen", "[exchange]") {
  auto const chosen =
      rows_after(deep_squeeze<choice>{.code = {codec::top_k{.share = 0.5}}, .share = 0.5}, 5);
  auto const plain = rows_after(deep_squeeze{.code = {.share = 0.5}, .share = 0.5}, 5);
  CHECK(chosen.seen.back().rows == plain.seen.back().rows);
  CHECK(chosen.report.bytes_sent == plain.report.bytes_sent);
}

// Numbers that both formats have are sent as they are; a choice makes the driver's exchange.
TEST_CASE("deep squeeze with 16-bit messages keeps the laws of exchanges", "[exchange]") {
  check_exchange(deep_squeeze<codec::cast<bf16>>{.share = 0.5}, {.reaches_mean = false});
  auto const sent = [](auto code) {
    return rows_after(deep_squeeze<decltype(code)>{.code = code}, 12);
  };
  auto const plain = rows_after(deep_squeeze{.code = {.share = 1}}, 12);
  auto const narrow = sent(codec::cast<fp16>{}), narrower = sent(codec::cast<bf16>{});
  double half = 0, quarter = 0;
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < 6; ++c) {
      double const exact = plain.seen.back().rows[i][c];
      half = std::max(half, std::abs(narrow.seen.back().rows[i][c] - exact));
      quarter = std::max(quarter, std::abs(narrower.seen.back().rows[i][c] - exact));
    }
  CHECK(half > 0);
  CHECK(half < 2e-3);  // some 2^-11 a message, which errors that are kept make good
  CHECK(quarter > half);
  CHECK(quarter < 2e-2);
  CHECK(narrow.report.bytes_sent == 12 * 9 * 2 * (2 * 6));
}

TEST_CASE("deep squeeze that leaves out nothing is d-psgd", "[exchange]") {
  auto const squeezed = rows_after(deep_squeeze{.code = {.share = 1}}, 12);
  auto const plain = rows_after(d_psgd{.order = mixing_order::adapt_then_combine}, 12);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(squeezed.seen.back().rows[i][c] == Approx(plain.seen.back().rows[i][c]).margin(1e-14));
}

// The paper's lines on a path of three nodes, whose weights are 1/3: nodes step once, then only
// mix. Top one of two columns, found by comparing.
TEST_CASE("deep squeeze on a path of three nodes is that by hand", "[exchange]") {
  using vector = std::array<double, 2>;
  double const w[3][3] = {
      {2.0 / 3, 1.0 / 3, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {0, 1.0 / 3, 2.0 / 3}};
  std::array<vector, 3> x{}, error{}, c{};
  for (std::uint64_t round = 0; round < 7; ++round) {
    for (node i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (round == 0) x[i][k] += scattered<2>::point(5, i, k);
        c[i][k] = x[i][k] + error[i][k];
      }
      error[i] = c[i];
      c[i][std::abs(c[i][1]) > std::abs(c[i][0]) ? 0 : 1] = 0;
      for (std::size_t k = 0; k < 2; ++k) error[i][k] -= c[i][k];
    }
    for (node i = 0; i < 3; ++i)
      for (node j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 2; ++k) x[i][k] += 0.75 * w[i][j] * (c[j][k] - c[i][k]);
    small_network network{path{3}, scattered<2>{}, sgd{.rate = 1.0},
                          deep_squeeze{.code = {.share = 0.5}, .share = 0.75}};
    auto const found =
        watched(network, {.seed = 5, .stop = rounds{round + 1}}, at_the_end).seen.back();
    for (node i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 2; ++k) CHECK(found.rows[i][k] == Approx(x[i][k]).margin(1e-14));
  }
}

// A third of six columns: two numbers and their columns, to two neighbours.
TEST_CASE("deep squeeze sends the bytes of its code", "[exchange]") {
  CHECK(rows_after(deep_squeeze{.code = {.share = 0.34}}, 3).report.bytes_sent ==
        3 * 9 * 2 * (2 * (8 + 4)));
}

}  // namespace gossip::test::squeezing
