// Nobody starves in AD-PSGD: ten million trainings on random bipartite graphs, the networks for
// which X. Lian et al. (2018), section 4, rule out deadlocks.
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/core/random.hpp>
#include <gossip/exchange/ad_psgd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using gossip::ad_psgd;
using gossip::contention;
using gossip::graph;
using gossip::keyed_random;
using gossip::lognormal_time;
using gossip::node;
using gossip::virtual_clock;

namespace {

/// Even nodes on one side, odd nodes on the other: a cycle through all, and three more edges of
/// every even node.
graph random_bipartite(std::size_t nodes, std::uint64_t seed) {
  std::vector<gossip::edge> edges;
  for (node i = 0; i < nodes; ++i) edges.push_back({i, static_cast<node>((i + 1) % nodes)});
  keyed_random random(seed, gossip::purpose::user, 0, 0);
  for (node i = 0; i < nodes; i += 2)
    for (int more = 0; more < 3; ++more)
      edges.push_back(
          {i, static_cast<node>(2 * random.below(static_cast<std::uint32_t>(nodes / 2)) + 1)});
  return graph::undirected(nodes, edges);
}

/// Trainings of each node in a plan of so many a node, of which node 0 is ten times slower.
std::vector<std::uint64_t> trainings_on(graph const &g, std::uint64_t seed, std::uint64_t each,
                                        contention share) {
  virtual_clock<lognormal_time> const clock{.compute = {.mean = compute, .cv = 0.5},
                                            .network = slow_link,
                                            .slow = {{.which = 0, .factor = 10}},
                                            .contention = share};
  auto settings = rounds_of(g.nodes(), each);
  settings.seed = seed;
  settings.row_bytes = settings.message_bytes;
  gossip::planner<ad_psgd> source({}, g, clock, settings);
  std::vector<std::uint64_t> count(g.nodes());
  gossip::virtual_time reached{0};
  bool across = true;  // averages are of two sides
  for (gossip::plan_window window; source.next(window);) {
    for (gossip::operation const &o : window.stream) {
      count[o.a] += o.kind() == gossip::operation_kind::train;
      if (o.kind() == gossip::operation_kind::columns && o.a != o.b())
        across &= (o.a + o.b()) % 2 == 1;
    }
    REQUIRE(window.end.time >= reached);
    reached = window.end.time;
  }
  CHECK(across);
  return count;
}

/// All but the slow node have trained alike, and that one about a tenth as often.
void check_alive(std::vector<std::uint64_t> const &count) {
  std::uint64_t all = 0;
  for (std::size_t i = 1; i < count.size(); ++i) all += count[i];
  double const mean = static_cast<double>(all) / static_cast<double>(count.size() - 1);
  auto const [least, most] = std::minmax_element(count.begin() + 1, count.end());
  CHECK(static_cast<double>(*least) > 0.9 * mean);
  CHECK(static_cast<double>(*most) < 1.1 * mean);
  CHECK(static_cast<double>(count[0]) > 0.08 * mean);
  CHECK(static_cast<double>(count[0]) < 0.12 * mean);
}

}  // namespace

TEST_CASE("no node starves in ten million trainings of AD-PSGD on bipartite graphs", "[plan]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    check_alive(trainings_on(random_bipartite(1000, seed), seed, 2000, contention::none));
  }
}

TEST_CASE("no node starves where links are shared", "[plan]") {
  for (auto const share : {contention::fifo_nic, contention::fair_share})
    check_alive(trainings_on(random_bipartite(100, 7), 7, 1000, share));
}
