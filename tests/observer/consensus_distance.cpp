// The distance between nodes: of parameters, and apart from them of statistics.
#include <gossip/observer/consensus_distance.hpp>

#include <cstddef>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/gossip.hpp>
#include <gossip/observer/json.hpp>

#include "../catch.hpp"

namespace {

using plain = gossip::sequential<gossip::input<1, 4, 4>, gossip::conv2d<2, 3>, gossip::dense<3>>;
using normalised = gossip::sequential<gossip::input<1, 4, 4>, gossip::conv2d<2, 3>,
                                      gossip::batch_norm, gossip::dense<3>>;

/// The distance over columns first to last, as a plain sum.
struct plain_sum {
  double *distance;
  std::size_t first, last;

  template <class Context>
  void measure(Context &context, gossip::record &) const {
    std::size_t const n = context.size().nodes;
    *distance = 0;
    for (std::size_t c = first; c < last; ++c) {
      double mean = 0;
      for (gossip::node i = 0; i < n; ++i)
        mean += static_cast<double>(context.rows().parameters(i)[c]) / static_cast<double>(n);
      for (gossip::node i = 0; i < n; ++i) {
        double const away = static_cast<double>(context.rows().parameters(i)[c]) - mean;
        *distance += away * away / static_cast<double>(n);
      }
    }
  }
};

template <class Model, class... Observers>
gossip::run_report run(double rate, Observers... observers) {
  static gossip::dataset const images =
      gossip::synthetic{.samples = 120, .shape = {1, 4, 4}, .classes = 3}.build();
  gossip::simulator network{gossip::ring{4}, Model{}, gossip::sgd{.rate = rate}, gossip::none{}};
  return network.run({.seed = 2, .batch = 8, .stop = gossip::rounds{5}},
                     gossip::split(images, gossip::iid{}), gossip::consensus_distance{},
                     observers...);
}

}  // namespace

TEST_CASE("nodes with the same parameters have no distance, whatever their statistics",
          "[observer]") {
  double statistics = 0;
  auto const report = run<normalised>(
      0.0, plain_sum{&statistics, normalised::parameters, gossip::row_length<normalised>});
  CHECK(*report.last.consensus_distance == Approx(0.0).margin(1e-12));
  CHECK(statistics > 1e-3);  // each node has seen other samples
  CHECK(*report.last.statistics_distance == Approx(statistics).epsilon(1e-5));
  auto const summary = gossip::to_json(report);
  CHECK(summary["consensus_distance"] == *report.last.consensus_distance);
  CHECK(summary["statistics_distance"] == *report.last.statistics_distance);
  std::ostringstream text;
  text << report;
  CHECK_THAT(text.str(), gossip::test::contains("\n  of statistics         "));
}

TEST_CASE("the consensus distance is that of all parameters", "[observer]") {
  double expected = 0;
  auto const report = run<normalised>(0.1, plain_sum{&expected, 0, normalised::parameters});
  CHECK(expected > 1e-3);
  CHECK(*report.last.consensus_distance == Approx(expected).epsilon(1e-5));
}

TEST_CASE("a model without statistics has no distance of them", "[observer]") {
  auto const report = run<plain>(0.1);
  CHECK(report.last.consensus_distance.value() > 0);
  CHECK_FALSE(report.last.statistics_distance);
  CHECK_FALSE(gossip::to_json(report).contains("statistics_distance"));
}
