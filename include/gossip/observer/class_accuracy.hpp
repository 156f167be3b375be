// Test accuracy and loss class by class: means over nodes for the record, and every node's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Scores of nodes on each class of a test set at one observation.
struct class_scores {
  std::vector<std::uint32_t> nodes;  ///< evaluated, ascending; one where all have one model
  std::vector<std::size_t> samples;  ///< (classes) evaluated of each
  std::vector<evaluation> sums;      ///< (nodes, classes) over the samples of the class

  std::size_t classes() const { return samples.size(); }

  /// Of the k-th node in the list on samples of one class, which has some.
  double accuracy(std::size_t k, std::size_t one) const {
    return sums[k * classes() + one].correct / static_cast<double>(samples[one]);
  }
  /// Of the k-th node on all samples evaluated: correct answers and the loss, a sample's mean.
  evaluation mean(std::size_t k) const;
};

/// Adds class_accuracy_<c>, the mean over the evaluated nodes, to a record for each class c that
/// the test set has samples of. The set, and the scores where they are given, must outlive it;
/// observers that take the record find the scores of that observation.
class class_accuracy {
 public:
  struct sample {
    std::size_t nodes = 0;    ///< number of nodes to evaluate, keyed by the seed; 0: all
    std::size_t samples = 0;  ///< number of test samples of each class, keyed too; 0: all
  };

  explicit class_accuracy(dataset const &test, class_scores *scores = nullptr)
      : class_accuracy(test, sample{}, scores) {}
  class_accuracy(dataset const &test, sample s, class_scores *scores = nullptr)
      : test_(&test), sample_(s), scores_(scores) {}
  explicit class_accuracy(dataset const &&, class_scores * = nullptr) = delete;  // gone too early
  class_accuracy(dataset const &&, sample, class_scores * = nullptr) = delete;

  dataset const &test_set() const { return *test_; }

  /// Throws input_error where the model cannot be tested on this set.
  template <class Context>
  void check(Context &context) const {
    detail::check_test_set("class_accuracy", context.outline(), *test_);
    if (!context.outline().chooses_classes())
      throw input_error(
          "class_accuracy: expected a model that chooses classes, got one whose loss "
          "has none. See docs/policies/model.md");
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    class_scores own;
    own.nodes = detail::keyed_sample(context.seed(), 0, context.size().rows(), sample_.nodes);
    std::size_t const nodes = own.nodes.size(), classes = test_->classes();
    own.samples.assign(classes, 0);
    own.sums.resize(nodes * classes);
    auto const members = samples_of_classes(context.seed());
    for (std::size_t one = 0; one < classes; ++one) {
      own.samples[one] = members[one].size();
      if (members[one].empty()) continue;
      auto const sums = context.evaluate(own.nodes, nullptr, *test_, members[one]);
      double correct = 0;
      for (std::size_t k = 0; k < nodes; ++k) {
        own.sums[k * classes + one] = sums[k];
        correct += sums[k].correct;
      }
      r.set("class_accuracy_" + std::to_string(one),
            correct / static_cast<double>(nodes * members[one].size()));
    }
    if (scores_ != nullptr) *scores_ = std::move(own);
  }

 private:
  /// Indices of the samples to evaluate, a list for each class.
  std::vector<std::vector<std::uint32_t>> samples_of_classes(std::uint64_t seed) const;

  dataset const *test_;
  sample sample_;
  class_scores *scores_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/class_accuracy.ipp>
#endif
