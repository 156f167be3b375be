// CHOCO-SGD: the laws, its limits, rounds by hand, and the step sizes that it stands.
#include <gossip/exchange/choco_sgd.hpp>

#include <gossip/codec/cast.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::choco {

// What messages leave out makes nodes agree too slowly for law 5.
TEST_CASE("CHOCO-SGD keeps the laws of exchanges", "[exchange]") {
  check_exchange(choco_sgd{.code = {.share = 0.3}, .share = 0.3}, {.reaches_mean = false});
}

TEST_CASE("CHOCO-SGD with 16-bit messages keeps the laws of exchanges", "[exchange]") {
  check_exchange(choco_sgd<codec::cast<bf16>>{.share = 0.5}, {.reaches_mean = false});
}

namespace {

template <std::size_t Columns, class Topology, class Exchange>
watched_run run_of(Topology const &topology, Exchange const &exchange, std::uint64_t count,
                   double rate = 0.5) {
  small_network network{topology, scattered<Columns>{}, sgd{.rate = rate}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end);
}

template <std::size_t Rows, std::size_t Columns>
using matrix = std::array<std::array<double, Columns>, Rows>;

/// The paper's lines for nodes that step once, then only mix; the greatest number of a row is found
/// by comparing, and the y of every neighbor is there.
template <std::size_t Nodes, std::size_t Columns>
matrix<Nodes, Columns> by_hand(matrix<Nodes, Nodes> const &w, double share, std::uint64_t count) {
  matrix<Nodes, Columns> x{}, y{};
  for (node i = 0; i < Nodes; ++i)
    for (std::size_t c = 0; c < Columns; ++c) x[i][c] = scattered<Columns>::point(5, i, c);
  for (std::uint64_t round = 0; round < count; ++round) {
    for (node i = 0; i < Nodes; ++i) {
      std::size_t most = 0;
      for (std::size_t c = 1; c < Columns; ++c)
        if (std::abs(x[i][c] - y[i][c]) > std::abs(x[i][most] - y[i][most])) most = c;
      y[i][most] = x[i][most];
    }
    for (node i = 0; i < Nodes; ++i)
      for (node j = 0; j < Nodes; ++j)
        for (std::size_t c = 0; c < Columns; ++c) x[i][c] += share * w[i][j] * (y[j][c] - y[i][c]);
  }
  return x;
}

}  // namespace

TEST_CASE("CHOCO-SGD that leaves out nothing is d-psgd", "[exchange]") {
  auto const all = run_of<6>(ring{9}, choco_sgd{.code = {.share = 1}, .share = 1}, 12).seen.back();
  auto const plain =
      run_of<6>(ring{9}, d_psgd{.order = mixing_order::adapt_then_combine}, 12).seen.back();
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(all.rows[i][c] == Approx(plain.rows[i][c]).margin(1e-14));
}

TEST_CASE("CHOCO-SGD on a path of three nodes is that by hand", "[exchange]") {
  for (std::uint64_t count = 1; count <= 7; ++count) {
    auto const found =
        run_of<2>(path{3}, choco_sgd{.code = {.share = 0.5}, .share = 0.75}, count, 1.0);
    auto const expected = by_hand<3, 2>(
        {{{2.0 / 3, 1.0 / 3, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {0, 1.0 / 3, 2.0 / 3}}}, 0.75, count);
    for (node i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 2; ++c)
        CHECK(found.seen.back().rows[i][c] == Approx(expected[i][c]).margin(1e-14));
  }
}

// One number of eight travels: squares of 1e-11 after 200 rounds, or of 3e25.
TEST_CASE("CHOCO-SGD of one number in eight agrees at a share of 0.3 and diverges at 1",
          "[exchange]") {
  matrix<8, 8> w{};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t other : {i, (i + 1) % 8, (i + 7) % 8}) w[i][other] = 1.0 / 3;
  for (double share : {0.3, 1.0}) {
    double const found =
        run_of<8>(ring{8}, choco_sgd{.code = {.share = 0.125}, .share = share}, 200, 1.0)
            .seen.back()
            .distance();
    snapshot expected;
    for (auto const &row : by_hand<8, 8>(w, share, 200))
      expected.rows.emplace_back(row.begin(), row.end());
    CHECK(found == Approx(expected.distance()).epsilon(1e-6));
    if (share < 1) CHECK(found < 1e-10);
    if (share == 1) CHECK(found > 1e25);
  }
}

// A third of six columns: two numbers and their columns, to two neighbors.
TEST_CASE("CHOCO-SGD sends the bytes of its code", "[exchange]") {
  CHECK(run_of<6>(ring{9}, choco_sgd{.code = {.share = 0.34}}, 3).report.bytes_sent ==
        3 * 9 * 2 * (2 * (8 + 4)));
  CHECK(run_of<6>(ring{9}, choco_sgd<codec::cast<fp16>>{}, 3).report.bytes_sent ==
        3 * 9 * 2 * (2 * 6));
}

TEST_CASE("CHOCO-SGD refuses weights that change, shares of 0, and directed graphs", "[exchange]") {
  CHECK_THROWS_WITH((choco_sgd<codec::top_k, one_peer>{}.check(ring{8}.build())),
                    contains("choco_sgd: expected one matrix of weights for all rounds, got"));
  CHECK_THROWS_WITH(check_on(choco_sgd<>{.share = 0}, ring{8}.build()),
                    contains("choco_sgd: share: expected a number above 0 and at most 1, got 0"));
  CHECK_THROWS_WITH(
      choco_sgd<>{}.check(graph::directed(3, {{0, 1}, {1, 2}, {2, 0}})),
      contains("metropolis_hastings: expected an undirected graph, got a directed graph"));
}

}  // namespace gossip::test::choco
