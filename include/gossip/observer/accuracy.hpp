// Test accuracy and loss: of all nodes or a keyed sample of them, and of the mean model. Models
// that choose no classes, such as regressions, have the loss alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

namespace detail {

/// `count` of the numbers below n, ascending, keyed by the seed; all of them if count is 0 or more.
std::vector<std::uint32_t> keyed_sample(std::uint64_t seed, std::uint32_t stream, std::size_t n,
                                        std::size_t count);

/// Throws input_error in the name of an observer where a model cannot be tested on this set.
void check_test_set(std::string const &observer, model_outline const &model, dataset const &test);

}  // namespace detail

/// Scores of nodes on a test set at one observation.
struct node_scores {
  std::vector<std::uint32_t> nodes;  ///< evaluated, ascending
  std::size_t models = 0;            ///< to choose from; one where all nodes have one model
  std::size_t samples = 0;           ///< evaluated of the test set
  std::vector<evaluation> sums;      ///< (nodes) over these samples

  /// Of the k-th node in the list.
  double accuracy(std::size_t k) const { return sums[k].correct / static_cast<double>(samples); }
  /// Of the k-th node in the list, a sample's mean.
  double loss(std::size_t k) const { return sums[k].loss / static_cast<double>(samples); }
};

/// Measures on a test set, which must outlive it, as must the scores where they are given;
/// observers that take the record find every node's there. What was sampled is recorded.
class accuracy {
 public:
  struct sample {
    std::size_t nodes = 0;    ///< number of nodes to evaluate; 0: all
    std::size_t samples = 0;  ///< number of test samples; 0: all
    bool averaged_model = true;

    static constexpr char const *name = "accuracy";
    static constexpr char const *meaning = "accuracy and loss on a test set";
    static constexpr auto members() {
      return member_list{
          described("nodes", &sample::nodes, "number of evaluated nodes; 0: all nodes"),
          described("samples", &sample::samples, "number of test samples; 0: all samples"),
          described("averaged_model", &sample::averaged_model,
                    "evaluate the mean of all models too")};
    }
  };

  explicit accuracy(dataset const &test, node_scores *scores = nullptr)
      : accuracy(test, sample{}, scores) {}
  accuracy(dataset const &test, sample s, node_scores *scores = nullptr)
      : test_(&test), sample_(s), scores_(scores) {}
  // A temporary set would be gone before the run.
  explicit accuracy(dataset const &&, node_scores * = nullptr) = delete;
  accuracy(dataset const &&, sample, node_scores * = nullptr) = delete;

  dataset const &test_set() const { return *test_; }

  /// Throws input_error where the model cannot be tested on this set.
  template <class Context>
  void check(Context &context) const {
    detail::check_test_set("accuracy", context.outline(), *test_);
  }

  template <class Context>
  void measure(Context &context, record &r) {
    std::size_t const distinct = context.size().rows();  // identical replicas are evaluated once
    auto const nodes = detail::keyed_sample(context.seed(), 0, distinct, sample_.nodes);
    auto const samples = detail::keyed_sample(context.seed(), 1, test_->size(), sample_.samples);
    auto const *const mean = sample_.averaged_model ? context.mean_model() : nullptr;
    auto const results = context.evaluate(nodes, mean, *test_, samples);
    write(r, context.outline().chooses_classes(), results, nodes.size(), samples.size());
    if (scores_ == nullptr) return;
    auto const end = results.begin() + static_cast<std::ptrdiff_t>(nodes.size());
    *scores_ = {nodes, distinct, samples.size(), {results.begin(), end}};
  }

 private:
  void write(record &r, bool chooses, std::vector<evaluation> const &results, std::size_t nodes,
             std::size_t samples) const;

  dataset const *test_;
  sample sample_;
  node_scores *scores_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/accuracy.ipp>
#endif
