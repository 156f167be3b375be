// Accuracy and loss on a test set, worked out by hand.
#include <gossip/observer/accuracy.hpp>

#include <gossip/model/quadratic.hpp>

#include <cmath>
#include <set>

#include "thresholds.hpp"

using namespace gossip::test;
using gossip::accuracy;
using gossip::execution;

namespace {

double worked_out(std::size_t node) {
  return 1.0 - std::abs(static_cast<double>(node) - 5) / 10;
}

}  // namespace

TEST_CASE("accuracy over nodes, of the mean model, and the test loss", "[observer]") {
  // Thresholds 0, 10, 20, 30, 40: 50 to 90 % of the samples are right; the mean model's is 20.
  for (auto const engine : {execution::levelled, execution::reference}) {
    auto const last = threshold_run(5, engine, accuracy{hundred()}).last;
    REQUIRE(last.accuracy);
    CHECK(last.accuracy->mean == Approx(0.7));
    CHECK(last.accuracy->min == 0.5);
    CHECK(last.accuracy->max == 0.9);
    CHECK(last.accuracy->std == Approx(std::sqrt(0.02)));
    CHECK(last.averaged_model_accuracy.value() == 0.7);
    CHECK(last.evaluated_nodes == 5);
    CHECK(last.evaluated_samples == 100);
    double loss = 0;  // mean of |s - t| over samples s and thresholds t
    for (int t = 0; t < 50; t += 10)
      for (int s = 0; s < 100; ++s) loss += std::abs(s - t) / 500.0;
    CHECK(last.test_loss.value() == Approx(loss));
  }
}

TEST_CASE("both engines measure the same, whatever the batch of the training", "[observer]") {
  // The reference engine trains one node at a time; test chunks are larger than this batch of one.
  auto const measured = [](execution engine) {
    return threshold_run(11, engine, accuracy{hundred(), {.nodes = 7, .samples = 90}}).last;
  };
  auto const expected = measured(execution::reference), got = measured(execution::levelled);
  CHECK(got.accuracy->mean == expected.accuracy->mean);
  CHECK(got.accuracy->std == expected.accuracy->std);
  CHECK(got.test_loss == expected.test_loss);
}

TEST_CASE("a sample of nodes is measured and recorded", "[observer]") {
  auto const last = threshold_run(11, execution::levelled, accuracy{hundred(), {.nodes = 3}}).last;
  CHECK(last.evaluated_nodes == 3);
  CHECK(last.evaluated_samples == 100);
  double mean = 0;
  for (auto const i : gossip::detail::keyed_sample(1, 0, 11, 3)) mean += worked_out(i) / 3;
  CHECK(last.accuracy->mean == Approx(mean));
}

TEST_CASE("every node's own scores are handed out", "[observer]") {
  gossip::node_scores scores;
  auto const all = threshold_run(5, execution::levelled, accuracy{hundred(), &scores}).last;
  REQUIRE(scores.nodes == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(scores.models == 5);
  CHECK(scores.samples == 100);
  double mean = 0, loss = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(scores.accuracy(k) == Approx(worked_out(k)));
    double expected = 0;  // mean of |s - t|, the threshold t ten times the node
    for (int s = 0; s < 100; ++s) expected += std::abs(s - 10.0 * static_cast<double>(k)) / 100;
    CHECK(scores.loss(k) == Approx(expected));
    mean += scores.accuracy(k) / 5;
    loss += scores.loss(k) / 5;
  }
  CHECK(mean == Approx(all.accuracy->mean));
  CHECK(loss == Approx(*all.test_loss));

  accuracy const some{hundred(), {.nodes = 3, .averaged_model = false}, &scores};
  threshold_run(11, execution::reference, some);
  REQUIRE(scores.nodes == gossip::detail::keyed_sample(1, 0, 11, 3));
  REQUIRE(scores.sums.size() == 3);
  CHECK(scores.models == 11);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(scores.accuracy(k) == Approx(worked_out(scores.nodes[k])));
}

TEST_CASE("the mean model is measured only where it is asked for", "[observer]") {
  accuracy const alone{hundred(), {.averaged_model = false}};
  CHECK_FALSE(threshold_run(2, execution::levelled, alone).last.averaged_model_accuracy);
}

TEST_CASE("a keyed sample is ascending, distinct, and all where all are asked for", "[observer]") {
  using gossip::detail::keyed_sample;
  for (std::size_t const n : {1, 2, 3, 17, 1000})
    for (std::size_t const count : {1, 2, 3, 16}) {
      auto const sample = keyed_sample(7, 1, n, count);
      CHECK(sample.size() == std::min(n, count));
      CHECK(std::is_sorted(sample.begin(), sample.end()));
      CHECK(std::set(sample.begin(), sample.end()).size() == sample.size());
      CHECK(sample.back() < n);
      CHECK(sample == keyed_sample(7, 1, n, count));
    }
  CHECK(keyed_sample(7, 1, 5, 0).size() == 5);
  CHECK(keyed_sample(7, 1, 1000, 10) != keyed_sample(8, 1, 1000, 10));
  CHECK(keyed_sample(7, 1, 1000, 10) != keyed_sample(7, 0, 1000, 10));
}

TEST_CASE("every node is as likely to be sampled as any other", "[observer]") {
  std::vector<int> count(10, 0);
  for (std::uint64_t seed = 0; seed < 5000; ++seed)
    for (auto const i : gossip::detail::keyed_sample(seed, 0, 10, 3)) ++count[i];
  for (int const c : count) CHECK(c == Approx(1500).margin(5 * 32.4));  // binomial
}

TEST_CASE("a test set that the model cannot read is refused", "[observer]") {
  gossip::dataset const wide("wide", {1, 1, 2}, 2, std::vector<float>{1, 2}, {0});
  CHECK_THROWS_WITH(threshold_run(2, execution::levelled, accuracy{wide}),
                    "accuracy: wide: expected 1 features and 2 classes, as the model has, got 2 "
                    "and 2");
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<1>{}, gossip::sgd{}, gossip::none{}};
  CHECK_THROWS_WITH(network.run({.stop = gossip::rounds{1}}, accuracy{wide}),
                    "accuracy: expected a model that learns from samples, got one that is its own "
                    "data. See docs/policies/model.md");
}
