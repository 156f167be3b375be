// Machines of several kinds in one network: whose times a node has, and how many nodes there are of
// each.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/machine_kind.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::constant_time;
using gossip::kinds_of_nodes;
using gossip::machine_kind;
using gossip::node;
using gossip::node_clock;

namespace {

using kind_list = std::vector<machine_kind<constant_time>>;

std::vector<std::ptrdiff_t> counts_of(kind_list const &kinds, std::size_t nodes,
                                      std::uint64_t seed) {
  auto const of = kinds_of_nodes(kinds, nodes, seed);
  std::vector<std::ptrdiff_t> counts;
  for (std::uint32_t k = 0; k <= kinds.size(); ++k) counts.push_back(std::ranges::count(of, k));
  return counts;
}

}  // namespace

TEST_CASE("nodes that a kind lists have its times", "[clock]") {
  gossip::virtual_clock const clock{.compute = constant_time{10ms},
                                    .slow = {{.which = 4, .factor = 3}},
                                    .kinds = {{.nodes = {1, 4}, .factor = 0.25},
                                              {.nodes = {2}, .factor = 2, .compute = {{7ms}}}}};
  node_clock const times(clock, 5);
  CHECK(times.compute_time(1, 0, 0) == 10ms);
  CHECK(times.compute_time(1, 1, 0) == 2'500us);
  CHECK(times.compute_time(1, 2, 0) == 14ms);
  CHECK(times.compute_time(1, 3, 0) == 10ms);
  CHECK(times.compute_time(1, 4, 0) == 7'500us);  // of its kind, and slow besides
}

TEST_CASE("a kind with the clock's own times changes no draw", "[clock]") {
  using gossip::lognormal_time;
  node_clock const plain(gossip::virtual_clock{.compute = lognormal_time{}}, 3);
  node_clock const kinds(
      gossip::virtual_clock{.compute = lognormal_time{}, .kinds = {{.nodes = {1}, .factor = 4}}},
      3);
  for (std::uint64_t step = 0; step < 20; ++step) {
    CHECK(kinds.compute_time(9, 0, step) == plain.compute_time(9, 0, step));
    CHECK(kinds.compute_time(9, 1, step) == 4 * plain.compute_time(9, 1, step));
  }
}

TEST_CASE("shares come to whole numbers of nodes, at random by the seed", "[clock]") {
  kind_list const kinds{{.share = 0.25}, {.share = 0.5}};
  using list = std::vector<std::ptrdiff_t>;
  CHECK(counts_of(kinds, 100, 1) == list{25, 25, 50});
  CHECK(counts_of(kinds, 6, 1) == list{1, 2, 3});  // 1.5 and 4.5 round to 2 and 5
  CHECK(counts_of({{.share = 0.5}, {.share = 0.5}}, 3, 1) == list{0, 2, 1});
  CHECK(counts_of({{.share = 0.1}, {.share = 0.2}, {.share = 0.7}}, 1, 1) == list{0, 0, 0, 1});
  CHECK(counts_of({{.nodes = {0, 3}}, {.share = 0.5}}, 4, 1) == list{0, 2, 2});
  CHECK(kinds_of_nodes(kinds, 100, 1) == kinds_of_nodes(kinds, 100, 1));
  CHECK(kinds_of_nodes(kinds, 100, 1) != kinds_of_nodes(kinds, 100, 2));
  CHECK(kinds_of_nodes(kind_list{}, 100, 1).empty());
  // Every node is as likely as any other: 1,000 seeds, 250 of them on average, binomial.
  std::vector<int> first(20);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    auto const of = kinds_of_nodes(kinds, 20, seed);
    for (std::size_t i = 0; i < 20; ++i) first[i] += of[i] == 1;
  }
  for (int const count : first) CHECK(count == Approx(250).margin(5 * 13.7));
  node_clock const times(
      gossip::virtual_clock{.compute = constant_time{1s}, .kinds = {{.share = 0.25, .factor = 2}}},
      100, 7);
  auto const of = kinds_of_nodes(kind_list{{.share = 0.25}}, 100, 7);
  for (node i = 0; i < 100; ++i) CHECK(times.compute_time(1, i, 0) == (of[i] == 1 ? 2s : 1s));
}

TEST_CASE("kinds that cannot be are refused, in a sentence", "[clock]") {
  auto const refused = [](kind_list const &kinds, std::string const &sentence) {
    CHECK_THROWS_WITH(
        node_clock(gossip::virtual_clock{.compute = constant_time{}, .kinds = kinds}, 4), sentence);
  };
  refused({{}}, "clock: kind 0: expected either a share or a list of nodes, got neither");
  refused({{.share = 0.5, .nodes = {1}}},
          "clock: kind 0: expected either a share or a list of nodes, got both");
  refused({{.share = 1.5}}, "clock: kind 0: expected a share from 0 to 1, got 1.5");
  refused({{.share = std::numeric_limits<double>::quiet_NaN()}},
          "clock: kind 0: expected a share from 0 to 1, got nan");
  refused({{.nodes = {1}}, {.nodes = {2}, .factor = 0}},
          "clock: kind 1: expected a factor above 0, got 0");
  refused({{.nodes = {1, 4}}}, "clock: kind 0: expected nodes below 4, got 4");
  refused({{.nodes = {1}}, {.nodes = {2, 1}}},
          "clock: kind 1: expected nodes that no earlier kind lists, got node 1 again");
  refused({{.share = 0.5}, {.share = 0.75}},
          "clock: kinds: expected shares of at most the 4 nodes of 4 that no kind lists, got 5");
  refused({{.share = 0.75}, {.nodes = {0, 1}}},
          "clock: kinds: expected shares of at most the 2 nodes of 4 that no kind lists, got 3");
  refused({{.nodes = {0}, .compute = {{0ns}}}},
          "constant_time: mean: expected at least 1 ns, got 0 ns");
}
