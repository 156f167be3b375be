// Accuracy class by class, worked out by hand.
#include <gossip/observer/class_accuracy.hpp>

#include <gossip/data/regression.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/losses.hpp>
#include <gossip/model/sequential.hpp>

#include "thresholds.hpp"

using namespace gossip::test;
using gossip::class_accuracy;
using gossip::class_scores;
using gossip::execution;

namespace {

double number(gossip::record const &r, std::string const &name) {
  for (auto const &one : r.numbers)
    if (one.name == name) return one.value;
  FAIL("no " << name);
  return 0;
}

struct copied {
  class_scores const *latest;
  std::vector<class_scores> *all;
  void take(gossip::record const &) { all->push_back(*latest); }
};

}  // namespace

// Thresholds 0, 10, ..., 60: the negatives 0 to 49 are right below the threshold, the positives 50
// to 99 from it on: 0, 10, 20, 30, 40, 50, 50 negatives and 50, 50, 50, 50, 50, 50, 40 positives.
TEST_CASE("accuracy on each class, of the network and of each node", "[observer]") {
  for (auto const engine : {execution::levelled, execution::reference}) {
    class_scores scores;
    auto const last = threshold_run(7, engine, class_accuracy{hundred(), &scores}).last;
    CHECK(number(last, "class_accuracy_0") == Approx(200.0 / 350));
    CHECK(number(last, "class_accuracy_1") == Approx(340.0 / 350));
    REQUIRE(scores.nodes == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6});
    REQUIRE(scores.samples == std::vector<std::size_t>{50, 50});
    std::vector<double> const negatives{0, 10, 20, 30, 40, 50, 50};
    for (std::size_t k = 0; k < 7; ++k) {
      CHECK(scores.accuracy(k, 0) == negatives[k] / 50);
      CHECK(scores.accuracy(k, 1) == (k < 6 ? 1.0 : 0.8));
      CHECK(scores.mean(k).correct == Approx((negatives[k] + (k < 6 ? 50 : 40)) / 100));
      double loss = 0;  // mean distance of the samples to the threshold
      for (int s = 0; s < 100; ++s) loss += std::abs(s - 10.0 * static_cast<double>(k)) / 100;
      CHECK(scores.mean(k).loss == Approx(loss));
    }
  }
}

TEST_CASE("scores of classes add up to the accuracy of all", "[observer]") {
  class_scores scores;
  gossip::accuracy const all{hundred()};
  auto const last = threshold_run(5, execution::levelled, all, class_accuracy{hundred(), &scores});
  double mean = 0;
  for (std::size_t k = 0; k < 5; ++k) mean += scores.mean(k).correct / 5;
  CHECK(mean == Approx(last.last.accuracy->mean));
}

TEST_CASE("so many samples of each class are evaluated, and so many nodes", "[observer]") {
  class_scores scores;
  class_accuracy const some{hundred(), {.nodes = 3, .samples = 20}, &scores};
  threshold_run(7, execution::levelled, some);
  CHECK(scores.nodes == gossip::detail::keyed_sample(1, 0, 7, 3));
  CHECK(scores.samples == std::vector<std::size_t>{20, 20});
}

TEST_CASE("a class without samples has no number", "[observer]") {
  gossip::dataset const negatives("negatives", {1, 1, 1}, 2, std::vector<float>{3, 4}, {0, 0});
  class_scores scores;
  auto const last = threshold_run(2, execution::levelled, class_accuracy{negatives, &scores}).last;
  REQUIRE(last.numbers.size() == 1);
  CHECK(last.numbers[0].name == "class_accuracy_0");
  CHECK(last.numbers[0].value == 0.5);  // 3 and 4 are not below 0, but below 10
  CHECK(scores.mean(1).correct == 1);
}

TEST_CASE("an observer that takes records finds the scores of that observation", "[observer]") {
  class_scores scores;
  std::vector<class_scores> all;
  threshold_run(
      3, execution::levelled,
      gossip::every(gossip::rounds{1}, class_accuracy{hundred(), &scores}, copied{&scores, &all}));
  REQUIRE(all.size() == 2);  // at the start all have the threshold 0, and one model
  CHECK(all[0].accuracy(0, 0) == 0);
  CHECK(all[1].accuracy(2, 0) == 0.4);
}

TEST_CASE("accuracy on classes refuses a test set that the model cannot read", "[observer]") {
  gossip::dataset const wide("wide", {1, 1, 2}, 2, std::vector<float>{1, 2}, {0});
  CHECK_THROWS_WITH(threshold_run(2, execution::levelled, class_accuracy{wide}),
                    "class_accuracy: wide: expected 1 features and 2 classes, as the model has, "
                    "got 2 and 2");
}

TEST_CASE("accuracy on classes refuses a model that chooses none", "[observer]") {
  auto const line = gossip::regression_set("line", {1, 2, 3}, {2, 4, 6});
  using model = gossip::sequential<gossip::input<1, 1, 1>, gossip::dense<1>, gossip::mean_square>;
  gossip::simulator const network{gossip::ring{3}, model{}, gossip::sgd{}, gossip::none{}};
  CHECK_THROWS_WITH(network.run({.batch = 1, .stop = gossip::rounds{1}},
                                gossip::split(line, gossip::iid{}), class_accuracy{line}),
                    "class_accuracy: expected a model that chooses classes, got one whose loss has "
                    "none. See docs/policies/model.md");
}
