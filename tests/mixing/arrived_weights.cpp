// Weights without the messages that are lost: by hand, and against the rule on dense matrices.
#include <gossip/core/random.hpp>
#include <gossip/mixing/arrived_weights.hpp>
#include <gossip/mixing/equal_shares.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/mixing/uniform_neighbor.hpp>
#include <gossip/topology/barabasi_albert.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/random_out.hpp>
#include <gossip/topology/ring.hpp>
#include <gossip/topology/star.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "../catch.hpp"

using gossip::arrived_weights;
using gossip::kept_sums;
using gossip::mixing_matrix;
using gossip::node;
using gossip::stochastic;

namespace {

using messages = std::set<std::pair<node, node>>;  // from, to
using dense = std::vector<std::vector<double>>;

mixing_matrix without(mixing_matrix const &w, messages const &lost,
                      kept_sums keep = kept_sums::both) {
  std::vector<std::pair<node, node>> asked;
  auto const left = arrived_weights(w, keep, [&](node from, node to) {
    asked.push_back({to, from});
    return !lost.contains({from, to});
  });
  CHECK(std::is_sorted(asked.begin(), asked.end()));
  CHECK(asked.size() == w.entries() - w.rows());
  return left;
}

dense dense_of(mixing_matrix const &w) {
  dense all(w.rows(), std::vector<double>(w.rows()));
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t j = 0; j < w.rows(); ++j) all[i][j] = w.at(i, j);
  return all;
}

enum class rule { both_ways, stays_with_sender, divided };

/// The rule, entry by entry.
dense expected(dense const &w, messages const &lost, rule by) {
  dense left = w;
  for (auto const &[from, to] : lost) {
    auto const move = [&](std::size_t row, std::size_t column, std::size_t place) {
      left[place][place] += left[row][column];
      left[row][column] = 0;
    };
    if (by == rule::divided) left[to][from] = 0;
    if (by == rule::stays_with_sender) move(to, from, from);
    if (by != rule::both_ways) continue;
    move(to, from, to);
    move(from, to, from);
  }
  for (auto &row : left) {
    double const sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (by == rule::divided)
      for (double &one : row) one /= sum;
  }
  return left;
}

void check_rule(mixing_matrix const &w, rule by, kept_sums keep = kept_sums::both) {
  for (std::uint64_t const seed : {1, 2, 3}) {
    messages lost;
    for (std::size_t i = 0; i < w.rows(); ++i)
      for (node const j : w.row(i).columns)
        if (j != i && gossip::keyed_random(seed, gossip::purpose::user, j, i).uniform() < 0.4)
          lost.insert({j, static_cast<node>(i)});
    REQUIRE(lost.size() > 3);
    auto const left = without(w, lost, keep);
    auto const now = dense_of(left), by_rule = expected(dense_of(w), lost, by);
    for (std::size_t i = 0; i < w.rows(); ++i)
      for (std::size_t j = 0; j < w.rows(); ++j) CHECK(now[i][j] == Approx(by_rule[i][j]));
    CHECK((left.sums() == stochastic::columns) == (by == rule::stays_with_sender));
    if (by == rule::both_ways) {
      CHECK(left.is_doubly_stochastic());
      CHECK(left.is_symmetric());
    }
    for (auto const &[from, to] : lost) CHECK(left.at(to, from) == 0);
  }
}

}  // namespace

TEST_CASE("an edge of symmetric weights goes both ways where a message is lost", "[mixing]") {
  auto const ring = gossip::metropolis_hastings{}.weights(gossip::ring{4}.build());
  auto const left = without(ring, {{0, 1}});
  CHECK(left.at(0, 1) == 0);
  CHECK(left.at(1, 0) == 0);
  CHECK(left.at(0, 0) == Approx(2.0 / 3));
  CHECK(left.at(1, 1) == Approx(2.0 / 3));
  CHECK(left.at(2, 2) == Approx(1.0 / 3));
  CHECK(left.at(1, 2) == Approx(1.0 / 3));
  CHECK(dense_of(without(ring, {})) == dense_of(ring));
  check_rule(gossip::metropolis_hastings{}.weights(gossip::barabasi_albert{12, 2}.build(3)),
             rule::both_ways);
}

TEST_CASE("a share of what is sent that is lost stays with its sender", "[mixing]") {
  auto const w = gossip::equal_shares{}.weights(gossip::random_out{9, 3}.build(1));
  REQUIRE(w.sums() == stochastic::columns);
  check_rule(w, rule::stays_with_sender);
}

TEST_CASE("the mean of what a node hears is that of what arrives", "[mixing]") {
  auto const w = gossip::uniform_neighbor{}.weights(gossip::star{8}.build());
  REQUIRE_FALSE(w.is_symmetric());
  check_rule(w, rule::divided);
  auto const alone = without(w, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}});
  CHECK(alone.at(0, 0) == 1);
  CHECK(alone.row(0).columns.size() == 1);

  // Node 0 of two takes all of node 1's model; what is left of nothing is its own.
  mixing_matrix const swap({0, 2, 3}, {0, 1, 1}, {0.0, 1.0, 1.0});
  CHECK(without(swap, {{1, 0}}).at(0, 0) == 1);
}

TEST_CASE("weights keep the sums that are asked for", "[mixing]") {
  auto const symmetric =
      gossip::metropolis_hastings{}.weights(gossip::barabasi_albert{12, 2}.build(3));
  check_rule(symmetric, rule::divided, kept_sums::rows);
  check_rule(symmetric, rule::stays_with_sender, kept_sums::columns);
  // Doubly stochastic, and not symmetric.
  auto const peers = gossip::one_peer{}.weights(gossip::exponential{16}.build(1)).at(1);
  REQUIRE(peers.is_doubly_stochastic());
  REQUIRE_FALSE(peers.is_symmetric());
  check_rule(peers, rule::stays_with_sender, kept_sums::columns);
  check_rule(peers, rule::divided);
}
