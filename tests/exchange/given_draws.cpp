// Draws of exchanges outside of a run, and draws of another program in a run. The page of random
// numbers quotes them.
#include <gossip/core/random.hpp>
#include <gossip/core/random_nodes.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/topology/random_regular.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "conformance.hpp"

namespace gossip::test::draws {

namespace {

// quote drawn
/// The neighbor that plan.random_neighbor(i) gives node i for draw 0, 1, 2, ... of its neighbors.
node neighbor_drawn(gossip::graph const &g, std::uint64_t seed, node i, std::uint64_t draw) {
  gossip::keyed_random random(seed, gossip::purpose::neighbor, i, draw);
  return g.neighbors(i)[random.below(static_cast<std::uint32_t>(g.degree(i)))];
}

/// What plan.random(i) gives node i for draw 0, 1, 2, ... by plan.random(i) and plan.chance(i, p).
double number_drawn(std::uint64_t seed, node i, std::uint64_t draw) {
  return gossip::keyed_random(seed, gossip::purpose::exchange, i, draw).uniform();
}

/// The clients of round k of fed_avg among n nodes. The server, which draws, is node n.
std::vector<node> clients_drawn(std::uint64_t seed, std::size_t n, std::size_t clients,
                                std::uint64_t k) {
  std::uint64_t draw = k * clients;
  auto chosen = gossip::random_nodes(
      n, clients, [&] { return number_drawn(seed, static_cast<node>(n), draw++); });
  std::ranges::sort(chosen);
  return chosen;
}
// end quote

// quote given
/// AD-PSGD whose partners another program has drawn: a list for each node, in the order of its
/// trainings.
struct given_partners {
  std::shared_ptr<std::vector<std::vector<node>> const> partners;

  struct node_state {
    std::size_t trained = 0;
  };

  void on_trained(auto &plan, node i) const {
    plan.average(i, partners->at(i).at(plan.state(i).trained++));
    plan.step(i);
    plan.train(i);
  }
};
// end quote

/// Federated averaging that writes down which nodes are sent the server's model.
struct noted_clients : gossip::fed_avg {
  std::vector<node> *seen;

  void on_message(auto &plan, node i, auto const &m) const {
    seen->push_back(i);
    gossip::fed_avg::on_message(plan, i, m);
  }
};

template <class Exchange>
auto network_of(Exchange const &exchange) {
  return gossip::simulator{gossip::random_regular{.nodes = 12, .degree = 4},
                           gossip::quadratic<2>{.optimum = {1, 2, 5}, .noise = 1},
                           gossip::sgd{.rate = 0.1}, exchange};
}

}  // namespace

TEST_CASE("AD-PSGD by the partners that it would draw is itself", "[exchange]") {
  gossip::run_settings const settings{.seed = 7, .stop = gossip::rounds{20}};
  auto const g = gossip::random_regular{.nodes = 12, .degree = 4}.build(settings.seed);
  auto partners = std::make_shared<std::vector<std::vector<node>>>(12);
  for (node i = 0; i < 12; ++i)
    for (std::uint64_t draw = 0; draw < 25; ++draw)
      (*partners)[i].push_back(neighbor_drawn(g, settings.seed, i, draw));
  auto const drawn = network_of(gossip::ad_psgd{}).run(settings);
  CHECK(network_of(given_partners{partners}).run(settings).digest == drawn.digest);
  std::swap((*partners)[0][0], (*partners)[0][1]);
  REQUIRE((*partners)[0][0] != (*partners)[0][1]);
  CHECK(network_of(given_partners{partners}).run(settings).digest != drawn.digest);
}

TEST_CASE("clients of a round are known beforehand", "[exchange]") {
  std::vector<node> seen, expected;
  network_of(noted_clients{{.clients = 5}, &seen})
      .dry_run({.seed = 3, .stop = gossip::rounds{5}}, {});
  for (std::uint64_t k = 0; k < 12; ++k) {
    auto const now = clients_drawn(3, 12, 5, k);
    expected.insert(expected.end(), now.begin(), now.end());
  }
  REQUIRE(seen.size() >= expected.size());  // a plan is read more than once
  CHECK(std::equal(expected.begin(), expected.end(), seen.end() - 60));
}

}  // namespace gossip::test::draws
