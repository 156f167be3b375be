// Mosaic learning: the laws, who hears whose fragments, and what it is for one fragment.
#include <gossip/exchange/mosaic.hpp>

#include <gossip/topology/ring.hpp>

#include <vector>

#include "fitting.hpp"
#include "heard_nodes.hpp"
#include "laws.hpp"
#include "networks.hpp"
#include "same_runs.hpp"

using namespace gossip::test;
using gossip::mosaic;
using gossip::peer_sampling;

namespace {

mosaic mosaic_with(std::size_t fragments, std::size_t peers, peer_sampling sampling = {}) {
  return {{.peers = peers, .sampling = sampling}, fragments};
}

template <std::size_t Columns>
watched_run mosaic_run(std::size_t nodes, some_exchange const &exchange, double epochs) {
  small_network network{gossip::ring{nodes}, scattered<Columns>{}, gossip::sgd{.rate = 1.0},
                        exchange};
  return watched(network, {.seed = 5, .stop = gossip::rounds{4}}, epochs);
}

}  // namespace

TEST_CASE("mosaic learning keeps the laws of exchanges", "[exchange]") {
  check_exchange(fitting_rounds{mosaic_with(3, 2)}, {.keeps_mean = false});
  check_exchange(fitting_rounds{mosaic_with(3, 2, peer_sampling::oracle)});
}

TEST_CASE("mosaic learning keeps the laws of exchanges where messages are lost", "[exchange]") {
  check_with_loss(fitting_rounds{mosaic_with(3, 2)}, {.keeps_mean = false});
  check_with_loss(fitting_rounds{mosaic_with(3, 2, peer_sampling::oracle)});
}

TEST_CASE("mosaic learning of one fragment is epidemic learning", "[exchange]") {
  gossip::epidemic_learning const whole{.peers = 2};
  auto const one = mosaic_run<8>(9, mosaic_with(1, 2), 1.0), other = mosaic_run<8>(9, whole, 1.0);
  check_same(one, other);
  CHECK(one.seen.front().rows == other.seen.front().rows);
}

// Twelve columns in four fragments of three: in each, node i has the mean of a set of first models.
TEST_CASE("each fragment of a model goes to peers of its own", "[exchange]") {
  constexpr std::size_t n = 9, fragments = 4, peers = 2;
  std::vector<std::vector<double>> before(n, std::vector<double>(12));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < 12; ++c)
      before[i][c] = scattered<12>::point(5, static_cast<gossip::node>(i), c);
  auto const after = mosaic_run<12>(n, mosaic_with(fragments, peers), 1.0).seen.front().rows;
  check_graphs_of_fragments(before, after, peers, 3);
}

TEST_CASE("mosaic learning with all for peers is the mean of all", "[exchange]") {
  for (auto const sampling : {peer_sampling::local, peer_sampling::oracle}) {
    auto const seen = mosaic_run<7>(4, mosaic_with(3, 3, sampling), 1.0).seen;
    CHECK(seen.back().distance() < 1e-28);
  }
}

// Columns 0 to 3 are one fragment of 7, 3 to 7 the other: a model travels once to each peer.
TEST_CASE("mosaic learning sends as many bytes as epidemic learning", "[exchange]") {
  auto const cut = mosaic_run<7>(9, mosaic_with(2, 3), at_the_end).report;
  auto const whole = mosaic_run<7>(9, gossip::epidemic_learning{.peers = 3}, at_the_end).report;
  CHECK(cut.bytes_sent == 4 * 9 * 3 * (7 * 8));
  CHECK(cut.bytes_sent == whole.bytes_sent);
}

TEST_CASE("mosaic learning refuses no fragments, and more than columns", "[exchange]") {
  CHECK_THROWS_WITH(settled(gossip::ring{8}, mosaic_with(0, 2), 1),
                    contains("mosaic: fragments: expected a whole number of at least 1, got 0"));
  CHECK_THROWS_WITH(settled(gossip::ring{8}, mosaic_with(2, 0), 1), contains("peers: expected"));
  CHECK_THROWS_WITH(mosaic_run<7>(4, mosaic_with(8, 2), 1.0),
                    contains("mosaic: fragments: expected at most the number of columns of the "
                             "model, 7, got 8"));
  CHECK_THROWS_WITH(mosaic_run<7>(4, mosaic_with(7, 4), 1.0),
                    contains("peers: expected at most the number of other nodes, 3, got 4"));
}
