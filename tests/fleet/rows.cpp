// Rows a node of every exchange and optimizer, as the table of the design has them.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/topology/ring.hpp>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::mixing_order;

namespace {

// Rows a node for plain SGD, momentum, Nesterov and Adam, times the nodes that share them.
template <class Exchange>
std::vector<double> rows_of(Exchange const &exchange, std::size_t nodes) {
  constexpr std::size_t parameters = 120;
  std::vector<double> rows;
  for (some_optimizer const &optimizer :
       {some_optimizer{gossip::sgd{}}, some_optimizer{gossip::sgd{.momentum = 0.9}},
        some_optimizer{gossip::sgd{.momentum = 0.9, .nesterov = true}},
        some_optimizer{gossip::adam{}}, some_optimizer{gossip::adamw{}}}) {
    gossip::simulator network{gossip::ring{nodes}, gossip::quadratic<parameters>{}, optimizer,
                              exchange};
    auto const report = network.run({.stop = gossip::rounds{1}});
    rows.push_back(static_cast<double>(report.state_bytes_per_node) /
                   static_cast<double>(parameters * sizeof(float)));
  }
  return rows;
}

}  // namespace

TEST_CASE("with nothing between training and step: 1, 2, 2 and 3 rows", "[fleet]") {
  std::vector<double> const rows{1, 2, 2, 3, 3};
  CHECK(rows_of(gossip::none{}, 3) == rows);
  CHECK(rows_of(gossip::d_psgd<>{.order = mixing_order::adapt_then_combine}, 3) == rows);
}

TEST_CASE("where others touch the parameters in between: 2, 2, 3 and 3 rows", "[fleet]") {
  std::vector<double> const rows{2, 2, 3, 3, 3};
  CHECK(rows_of(gossip::d_psgd<>{.order = mixing_order::combine_then_adapt}, 3) == rows);
  CHECK(rows_of(gossip::ad_psgd{}, 3) == rows);
}

TEST_CASE("identical replicas share their rows network-wide", "[fleet]") {
  std::vector<double> const rows{1.0 / 4, 2.0 / 4, 2.0 / 4, 3.0 / 4, 3.0 / 4};
  CHECK(rows_of(gossip::all_reduce{}, 4) == rows);
}
