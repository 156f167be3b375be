// Seeds of their own for graph and split.
#include <gossip/simulator/simulator.hpp>

#include <gossip/data/dirichlet.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/topology/erdos_renyi.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::rounds;
using gossip::run_settings;

namespace {

/// The edges and the samples that were drawn; outlives the run.
struct draws {
  std::vector<gossip::edge> edges;
  std::vector<std::uint32_t> samples;  // node by node
};

struct noted_graph {
  draws *drawn;
  gossip::graph build(std::uint64_t seed) const {
    auto g = gossip::erdos_renyi{.nodes = 12, .probability = 0.4}.build(seed);
    drawn->edges = g.edge_list();
    return g;
  }
};

struct noted_split {
  draws *drawn;
  gossip::partition assign(std::span<std::uint16_t const> labels, std::size_t classes,
                           std::size_t nodes, std::uint64_t seed) const {
    auto shares = gossip::dirichlet{}.assign(labels, classes, nodes, seed);
    drawn->samples.assign(shares.samples().begin(), shares.samples().end());
    return shares;
  }
};

struct outcome {
  draws drawn;
  std::uint64_t digest, dry_bytes;
  gossip::provenance provenance;
};

outcome run(run_settings settings) {
  outcome result;
  settings.stop = rounds{2};
  settings.batch = 5;
  gossip::simulator network{noted_graph{&result.drawn}, tiny_classifier{}, gossip::sgd{},
                            gossip::d_psgd<>{}};
  result.dry_bytes = network.dry_run(settings, {170}).bytes_sent;
  auto const planned = result.drawn.edges;
  auto const report =
      network.run(settings, gossip::split(tiny_images(), noted_split{&result.drawn}));
  CHECK(planned == result.drawn.edges);
  CHECK(report.bytes_sent == result.dry_bytes);
  result.digest = report.digest;
  result.provenance = report.provenance;
  return result;
}

}  // namespace

TEST_CASE("without seeds of their own graph and split follow that of the run", "[simulator]") {
  outcome const plain = run({.seed = 3});
  outcome const named = run({.seed = 3, .topology_seed = 3, .split_seed = 3});
  CHECK(plain.digest == named.digest);
  CHECK(plain.drawn.edges == named.drawn.edges);
  CHECK(plain.drawn.samples == named.drawn.samples);
  CHECK_FALSE(plain.provenance.topology_seed.has_value());
  CHECK(named.provenance.topology_seed == 3U);
  CHECK(named.provenance.split_seed == 3U);
  outcome const other = run({.seed = 4});
  CHECK(plain.drawn.edges != other.drawn.edges);
  CHECK(plain.drawn.samples != other.drawn.samples);
}

TEST_CASE("a graph with a seed of its own is the same for all seeds of a study", "[simulator]") {
  outcome const one = run({.seed = 1, .topology_seed = 7}),
                two = run({.seed = 2, .topology_seed = 7});
  CHECK(one.drawn.edges == two.drawn.edges);
  CHECK(one.drawn.samples != two.drawn.samples);
  CHECK(one.digest != two.digest);
  outcome const plain = run({.seed = 1});
  CHECK(one.drawn.edges != plain.drawn.edges);
  CHECK(one.drawn.samples == plain.drawn.samples);
}

TEST_CASE("a split with a seed of its own is the same for all seeds of a study", "[simulator]") {
  outcome const one = run({.seed = 1, .split_seed = 7}), two = run({.seed = 2, .split_seed = 7});
  CHECK(one.drawn.samples == two.drawn.samples);
  CHECK(one.drawn.edges != two.drawn.edges);
  CHECK(one.digest != two.digest);
  outcome const plain = run({.seed = 1});
  CHECK(one.drawn.samples != plain.drawn.samples);
  CHECK(one.drawn.edges == plain.drawn.edges);
}
