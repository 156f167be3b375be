// The gradient at the network's mean model, whose squared norm convergence theorems bound (Lian et
// al. 2017, theorem 1; Lian et al. 2018, theorem 1).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/data/batch_source.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/model/model.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/gradient_heterogeneity.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Adds mean_gradient_norm = |grad f(mean x)| to a record: f is the mean loss over the samples of a
/// training set, or over a sample of them; of a model that is its own data the mean over the nodes.
/// Without weight decay. Dropout and batch normalisation see these samples as one batch. Where
/// nodes are spread over ranks each of them computes it. Takes a gradient of so many samples, and
/// their workspace.
template <model Model>
class mean_gradient {
 public:
  /// samples: how many, keyed by the seed of the run; 0: all. The data outlive the run.
  mean_gradient(Model of, dataset const &train, std::size_t samples = 1000)
    requires(Model::learns_from_samples)
      : of_(std::move(of)), train_(&train), samples_(samples) {}
  explicit mean_gradient(Model of)
    requires(!Model::learns_from_samples)
      : of_(std::move(of)) {}

  /// Throws input_error where the data do not fit the model, or there are none.
  template <class Context>
  void check(Context &context) const {
    if constexpr (Model::learns_from_samples) {
      detail::check_test_set<Model>("mean_gradient", *train_);
      if (train_->size() == 0) throw input_error("mean_gradient", "at least one sample", "none");
    }
    if (context.size().parameters != row_length<Model>)
      throw input_error(
          "mean_gradient",
          "the model of the run, of " + std::to_string(context.size().parameters) + " numbers",
          "a model of " + std::to_string(row_length<Model>));
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    using value = typename Context::value_type;
    std::span<value const> const x(context.mean_model(), row_length<Model>);
    double square = 0;
    if constexpr (Model::learns_from_samples) {
      auto const chosen = detail::keyed_sample(context.seed(), 2, train_->size(), samples_);
      auto const count = static_cast<std::uint32_t>(chosen.size());
      partition const one({0, count}, chosen);
      std::vector<value> gradient;
      detail::gradient_at(of_, x, 0, count, node_batches<Model::sample_major>(*train_, one, count),
                          gradient);
      for (value const g : gradient) square += static_cast<double>(g) * static_cast<double>(g);
    } else {
      square = heterogeneity_of_gradients(of_, context.size().nodes, x).squared_norm;
    }
    r.set("mean_gradient_norm", std::sqrt(square));
  }

 private:
  Model of_;
  dataset const *train_ = nullptr;
  std::size_t samples_ = 0;
};

}  // namespace gossip
