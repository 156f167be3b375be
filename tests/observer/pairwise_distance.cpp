// Distances of pairs of models: by hand, and held against the consensus distance.
#include <gossip/observer/pairwise_distance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/observer/consensus_distance.hpp>

#include "thresholds.hpp"

using namespace gossip::test;
using gossip::execution;
using gossip::pairwise_distance;

namespace {

double number(gossip::record const &r, std::string const &name) {
  for (auto const &one : r.numbers)
    if (one.name == name) return one.value;
  return std::nan("");
}

/// The mean of the squares of all distances, as a plain sum.
struct squares_of_pairs {
  double *mean;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    double sum = 0;
    std::size_t const n = context.size().nodes;
    for (gossip::node i = 0; i < n; ++i)
      for (gossip::node j = 0; j < n; ++j)
        for (std::size_t c = 0; c < context.size().parameters; ++c) {
          double const away = static_cast<double>(context.rows().parameters(i)[c]) -
                              static_cast<double>(context.rows().parameters(j)[c]);
          sum += away * away / static_cast<double>(n * (n - 1));
        }
    *mean = sum;
  }
};

}  // namespace

TEST_CASE("distances of thresholds are those of their nodes", "[observer]") {
  // Thresholds 0, 10, 20, 30, 40: of the ten pairs four are 10 apart, three 20, two 30, one 40.
  for (auto const engine : {execution::levelled, execution::reference}) {
    auto const last = threshold_run(5, engine, pairwise_distance{.nodes = 0}).last;
    CHECK(number(last, "pairwise_distance") == 20);
    CHECK(number(last, "pairwise_distance_min") == 10);
    CHECK(number(last, "pairwise_distance_median") == 20);
    CHECK(number(last, "pairwise_distance_max") == 40);
  }
  // Of a sample of one: its own distances from all others.
  auto const i = static_cast<double>(gossip::detail::keyed_sample(1, 0, 5, 1).front());
  double mean = 0;
  for (int j = 0; j < 5; ++j) mean += 10 * std::abs(i - j) / 4;
  auto const one = threshold_run(5, execution::levelled, pairwise_distance{.nodes = 1}).last;
  CHECK(number(one, "pairwise_distance") == Approx(mean));
  CHECK(number(one, "pairwise_distance_max") == 10 * std::max(i, 4 - i));
}

TEST_CASE("the squares of all pairs have 2n / (n - 1) times the consensus distance in the mean",
          "[observer]") {
  using model = gossip::sequential<gossip::input<1, 4, 4>, gossip::dense<3>>;
  auto const images = gossip::synthetic{.samples = 140, .shape = {1, 4, 4}, .classes = 3}.build();
  gossip::simulator network{gossip::ring{7}, model{}, gossip::sgd{.rate = 0.1}, gossip::none{}};
  double squares = 0;
  auto const last = network
                        .run({.seed = 3, .batch = 4, .stop = gossip::rounds{4}},
                             gossip::split(images, gossip::iid{}), gossip::consensus_distance{},
                             pairwise_distance{.nodes = 0}, squares_of_pairs{&squares})
                        .last;
  CHECK(squares > 1e-4);
  CHECK(squares == Approx(2.0 * 7 / 6 * *last.consensus_distance).epsilon(1e-6));
  CHECK(number(last, "pairwise_distance") <= std::sqrt(squares));
  CHECK(number(last, "pairwise_distance") > 0.5 * std::sqrt(squares));
}

TEST_CASE("nodes with one model are not apart", "[observer]") {
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<16>{}, gossip::sgd{.rate = 0.1},
                            gossip::all_reduce{}};
  auto const last = network.run({.seed = 3, .stop = gossip::rounds{4}}, pairwise_distance{}).last;
  CHECK(number(last, "pairwise_distance") == 0);
  CHECK(number(last, "pairwise_distance_max") == 0);
}
