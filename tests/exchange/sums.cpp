// Sums of rows over nodes: the laws, and numbers by hand.
#include "sum_exchanges.hpp"

#include <gossip/exchange/local_sgd.hpp>

#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::node;

TEST_CASE("sums over nodes keep the laws of exchanges", "[exchange]") {
  check_exchange(sums_of_rows{}, {.keeps_mean = false, .reaches_mean = false});
}

namespace {

// Node 0 has 2 x_0 - x_3, the others their own.
struct one_sum {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.sum_to(0, gossip::model_row, {{0, 2}, {3, -1}}, gossip::model_row);
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

gossip::local_sgd const mean_of_all{.local_steps = 1};

}  // namespace

TEST_CASE("a sum over nodes is that by hand", "[exchange]") {
  CHECK(mixed_numbers(path{4}, one_sum{}, {1, 5, 7, 10}, 1) == std::vector<double>{-8, 5, 7, 10});
  CHECK(mixed_numbers(path{4}, one_sum{}, {1, 5, 7, 10}, 2) == std::vector<double>{-26, 5, 7, 10});
  CHECK(mixed_numbers(path{4}, mean_of_all, {1, 5, 7, 11}, 1) == std::vector<double>(4, 6.0));
}

// A ring moves 2 (n - 1) / n of a row a node, a sum a row for every node but its own.
TEST_CASE("sums over nodes count their bytes", "[exchange]") {
  auto const bytes = [](some_exchange const &exchange) {
    small_network network{path{4}, scattered<6>{}, gossip::sgd{.rate = 1.0}, exchange};
    return watched(network, {.stop = gossip::rounds{1}}, at_the_end).report.bytes_sent;
  };
  CHECK(bytes(mean_of_all) == 4 * (2 * 3 * 48 / 4));
  CHECK(bytes(one_sum{}) == 48);
}

TEST_CASE("a sum over nodes of numbers that are too large is refused", "[exchange]") {
  CHECK_THROWS_WITH(
      mixed_numbers(path{4}, mean_of_all, {1, 8e6, 7, 11}, 1),
      contains("node 1 has 8e+06 in column 0, by round 1, and sums take numbers below "
               "2^20: the run diverges; made by the training of node 1, step 0, at a rate of 1; a "
               "smaller rate or a warm-up may keep it smaller"));
}
