// Rows of edges: the laws, and what they come to in cases that are known.
#include "edge_exchanges.hpp"

#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test {

TEST_CASE("rows of edges keep the laws of exchanges", "[exchange]") {
  check_exchange(last_heard{}, {.slack = 1e-9});
  check_exchange(last_heard{3}, {.keeps_mean = false});
  check_exchange(edges_by_event{}, {.keeps_mean = false, .reaches_mean = false});
  check_kind(edges_by_event{});
  check_kind(last_heard{});
}

TEST_CASE("scalars of messages keep the laws of exchanges", "[exchange]") {
  check_exchange(clipped_letters{.radius = 0.75});
}

namespace {

void check_near(some_exchange const &one, some_exchange const &other) {
  auto const rows = [](some_exchange const &exchange) {
    small_network network{ring{9}, scattered<6>{}, sgd{.rate = 0.5}, exchange};
    return watched(network, {.seed = 5, .stop = rounds{12}}, at_the_end).seen.back().rows;
  };
  auto const a = rows(one), b = rows(other);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < 6; ++c) CHECK(a[i][c] == Approx(b[i][c]).margin(1e-14));
}

// Keeps a row of an edge that it reads for another node.
struct eavesdropper {
  static constexpr std::size_t edge_rows = 1;
  node of = 1;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    plan.add(0, model_row, {{1, plan.edge(of, 2)}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

TEST_CASE("what has just been heard is what there is", "[exchange]") {
  check_near(last_heard{}, d_psgd{.order = mixing_order::adapt_then_combine});
}

TEST_CASE("clipped messages are clipped gossip", "[exchange]") {
  check_near(clipped_letters{.radius = 0.3}, clipped_gossip{.radius = 0.3});
}

// By hand, with weights of Metropolis and Hastings, 1/3 between neighbours.
TEST_CASE("a neighbour mixes what it has heard last", "[exchange]") {
  std::vector<double> x{0, 6, 3}, heard = x;
  for (std::uint64_t k = 0; k < 8; ++k) {
    auto const sends = [&](node i) { return k < 2 || (k + i) % 2 == 0; };
    for (node i = 0; i < 3; ++i)
      if (sends(i)) heard[i] = x[i];
    x = {(2 * x[0] + heard[1]) / 3, (heard[0] + x[1] + heard[2]) / 3, (heard[1] + 2 * x[2]) / 3};
    auto const found = mixed_numbers(path{3}, last_heard{2}, {0, 6, 3}, k + 1);
    for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == Approx(x[i]).margin(1e-14));
  }
}

namespace {

// z = 2 x - z and z + z + x on two edges of node 1, of which the former is added to its model.
struct duals {
  static constexpr std::size_t edge_rows = 1;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    auto const z = plan.edge(1, 0), y = plan.edge(1, 2);
    plan.assign(z, {{2, model_row}}, {{-1, z}});
    plan.add(y, {{1, model_row}}, {{1, y}});
    plan.add(1, model_row, {{1, z}});
    plan.assign(2, model_row, {{0, model_row}});
    plan.send(1, 2, {{0, model_row}}, {{1, y}});
    plan.deliver();
  }
  void on_message(auto &plan, node i, auto const &m) const { plan.add(i, model_row, {{1, m}}); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

// x_1 begins at 1: z = 2, 4, 10; x = 3, 7, 17; y = 1, 2 + 3, 10 + 7.
TEST_CASE("a sum may have the row of the edge itself among its terms", "[exchange]") {
  CHECK(mixed_numbers(path{3}, duals{}, {5, 1, 9}, 1) == std::vector<double>{5, 3, 1});
  CHECK(mixed_numbers(path{3}, duals{}, {5, 1, 9}, 2) == std::vector<double>{5, 7, 5});
  CHECK(mixed_numbers(path{3}, duals{}, {5, 1, 9}, 3) == std::vector<double>{5, 17, 17});
}

TEST_CASE("a row of an edge is its node's, and of a neighbour", "[exchange]") {
  CHECK_THROWS_WITH(mixed_numbers(path{3}, eavesdropper{}, {1, 2, 3}, 1),
                    contains("node 0 reads a row of an edge that node 1 keeps"));
  CHECK_THROWS_WITH(mixed_numbers(path{3}, eavesdropper{0}, {1, 2, 3}, 1),
                    contains("node 0 has no row 0 of an edge to node 2"));
}

}  // namespace gossip::test
