// Gradient tracking: the laws, the common minimum, and what its rows add up to.
#include <gossip/exchange/gradient_tracking.hpp>

#include <gossip/mixing/one_peer.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

#include "conformance.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::mixing_order;
using gossip::node;
using gossip::ring;

namespace {

gossip::gradient_tracking<> const diging{}, adapting{.order = mixing_order::adapt_then_combine};

// Sums over the nodes of two rows, at every observation.
struct row_sums {
  std::vector<std::pair<double, double>> *seen;
  std::size_t first, second;

  template <class Context>
  void measure(Context &context, gossip::record &) {
    auto const &rows = context.rows();
    std::pair<double, double> sums{0, 0};
    for (node i = 0; i < rows.size().nodes; ++i) {
      auto const own = rows.whole(gossip::used_slots{gossip::fleet_size::every_slot}, i);
      sums.first += own.row(first, i)[0];
      sums.second += own.row(second, i)[0];
    }
    seen->push_back(sums);
  }
  void take(gossip::record const &) {}
};

}  // namespace

TEST_CASE("gradient tracking keeps the laws", "[exchange]") {
  check_exchange(diging);
  check_exchange(adapting);
  check_kind(diging);
}

TEST_CASE("gradient tracking ends at the minimum of the sum, where D-PSGD has a bias",
          "[exchange]") {
  for (auto const &[exchange, rate] : {std::pair{diging, 0.03}, std::pair{adapting, 0.05}}) {
    auto const found = settled_by({.rate = rate}, ring{8}, exchange, 4000);
    for (auto const &row : found.rows) CHECK(row[0] == Approx(-0.8).margin(1e-13));
  }
  auto const biased = settled_by({.rate = 0.03}, ring{8}, gossip::d_psgd<>{}, 4000);
  CHECK(std::abs(biased.mean(0) + 0.8) > 1e-3);
  CHECK(biased.distance() > 1e-2);
}

TEST_CASE("gradient tracking ends there with one directed peer a round too", "[exchange]") {
  gossip::gradient_tracking<gossip::one_peer> const exchange{.order =
                                                                 mixing_order::adapt_then_combine};
  auto const found = settled_by({.rate = 0.02}, gossip::exponential{8}, exchange, 4000);
  for (auto const &row : found.rows) CHECK(row[0] == Approx(-0.8).margin(1e-13));
}

TEST_CASE("the trackers add up to the gradients of the network", "[exchange]") {
  for (auto const &exchange : {diging, adapting}) {
    std::vector<std::pair<double, double>> seen;
    small_simulator network{some_topology{ring{8}},    alternating_valleys(),
                            gossip::sgd{.rate = 0.03}, some_exchange{exchange},
                            gossip::numbers<double>{}, gossip::cpu{.threads = 1}};
    // Plain SGD has no row of its own: slot 1 is the tracker, slot 3 the gradient of this round.
    network.run({.stop = gossip::rounds{40}},
                gossip::every(gossip::rounds{1}, row_sums{&seen, 1, 3}));
    REQUIRE(seen.size() >= 40);
    for (auto const &[trackers, gradients] : seen)
      CHECK(trackers == Approx(gradients).margin(1e-12));
    CHECK(seen.front().first == 0.0);  // before anything is trained
    CHECK(std::abs(seen[1].first) > 1.0);
  }
}
