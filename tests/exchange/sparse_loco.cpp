// SparseLoCo: the laws, its limits, and bytes; its iterates are those of NumPy in tests/reference.
#include <gossip/exchange/sparse_loco.hpp>

#include <gossip/codec/top_k.hpp>
#include <gossip/exchange/local_sgd.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::loco {

TEST_CASE("SparseLoCo keeps the laws of exchanges", "[exchange]") {
  check_exchange(sparse_loco{.code = {.chunk = 3, .kept = 1}, .local_steps = 2},
                 {.keeps_mean = false, .reaches_mean = false});
  check_exchange(
      sparse_loco{
          .code = {.chunk = 3, .kept = 1}, .local_steps = 2, .counted = counted_nodes::senders},
      {.keeps_mean = false, .reaches_mean = false});
}

namespace {

/// Columns differ by their noise, so that none are equally large.
quadratic<6> const noisy_valleys{
    .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.5};

template <class Exchange>
watched_run run_of(Exchange const &exchange, std::uint64_t count) {
  small_network network{ring{4}, noisy_valleys, sgd{.rate = 0.5}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end);
}

void check_near(snapshot const &a, snapshot const &b) {
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    for (std::size_t c = 0; c < 6; ++c) CHECK(a.rows[i][c] == Approx(b.rows[i][c]).margin(1e-11));
}

}  // namespace

TEST_CASE("SparseLoCo that leaves out nothing is local SGD", "[exchange]") {
  for (std::uint64_t const count : {3, 4, 11, 12})
    check_near(
        run_of(sparse_loco{.code = {.chunk = 2, .kept = 2}, .local_steps = 4}, count).seen.back(),
        run_of(local_sgd{.local_steps = 4}, count).seen.back());
}

TEST_CASE("SparseLoCo of one step that forgets nothing is SGD with error feedback", "[exchange]") {
  check_near(run_of(sparse_loco<codec::top_k>{{.share = 0.34}, 1, 1.0}, 9).seen.back(),
             run_of(ef_sgd{.code = {.share = 0.34}}, 9).seen.back());
}

// From 0, a step of half of the way to its optimum moves a node by {4, 1, 0}, {6, 0, 2}, {0, 3, 1},
// of which the largest goes; what stays is added to {1.5, -0.5, 0}, {3.5, -1.5, 2}, {-2.5, 1.5, 1}
// of the second round, by the model {5, 3, 0} of the first.
TEST_CASE("SparseLoCo divides a column by those who have sent it, if it counts senders",
          "[exchange]") {
  quadratic<3> const valleys{.optimum = {{8, 2, 0}, {12, 0, 4}, {0, 6, 2}}};
  auto const models = [&](counted_nodes counted, std::uint64_t count) {
    sparse_loco<codec::top_k> const exchange{{.share = 0.34}, 1, 1.0, 1.0, counted};
    small_network network{ring{3}, valleys, sgd{.rate = 0.5}, exchange};
    auto const seen = watched(network, {.stop = rounds{count}}, at_the_end);
    CHECK(seen.report.bytes_sent == count * 3 * 2 * (8 + 4));
    CHECK(seen.seen.back().rows[0] == seen.seen.back().rows[2]);
    return seen.seen.back().rows[2];
  };
  auto const near = [](std::vector<double> const &found, std::array<double, 3> const &expected) {
    for (std::size_t c = 0; c < 3; ++c) CHECK(found[c] == Approx(expected[c]).margin(1e-14));
  };
  near(models(counted_nodes::senders, 1), {5, 3, 0});
  near(models(counted_nodes::senders, 2), {4.5, 3, 4});
  near(models(counted_nodes::all, 1), {10.0 / 3, 1, 0});
}

// Three chunks of two columns: three numbers, and a bit for the column of each.
TEST_CASE("SparseLoCo sends every code to all, every few rounds", "[exchange]") {
  sparse_loco const one{.code = {.chunk = 2, .kept = 1}, .local_steps = 4};
  CHECK(run_of(one, 3).report.bytes_sent == 0);
  CHECK(run_of(one, 9).report.bytes_sent == 2 * 4 * 3 * (3 * 8 + 1));
}

TEST_CASE("SparseLoCo refuses members that are not its own", "[exchange]") {
  graph const g = ring{4}.build();
  CHECK_THROWS_WITH(check_on(sparse_loco{.local_steps = 0}, g),
                    contains("local_steps: expected a whole"));
  CHECK_THROWS_WITH(check_on(sparse_loco{.decay = 1.5}, g),
                    contains("decay: expected a number from 0 to 1"));
  CHECK_THROWS_WITH(check_on(sparse_loco{.outer_rate = -1}, g),
                    contains("outer_rate: expected a number"));
  CHECK_THROWS_WITH((sparse_loco{.code = {.chunk = 2, .kept = 3}}.check(g)),
                    contains("chunked_top_k: kept: expected 1 to the chunk"));
}

}  // namespace gossip::test::loco
