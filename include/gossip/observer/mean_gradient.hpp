// The gradient at the network's mean model, whose squared norm convergence theorems bound (Lian et
// al. 2017, theorem 1; Lian et al. 2018, theorem 1).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/gradient_heterogeneity.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Adds mean_gradient_norm = |grad f(mean x)| to a record: f is the mean loss over the samples of a
/// training set, or over a sample of them; of a model that is its own data the mean over the nodes.
/// Without weight decay. Dropout and batch normalisation see these samples as one batch. Where
/// nodes are spread over ranks each of them computes it. Takes a gradient of so many samples, and
/// their workspace. On the host it has the precision of the run's gradients, in fp16 without a
/// scale of the loss; on a device the full one.
class mean_gradient {
 public:
  /// Of a model that is its own data.
  mean_gradient() = default;
  /// samples: number of them, keyed by the seed of the run; 0: all. The data outlive the run.
  explicit mean_gradient(dataset const &train, std::size_t samples = 1000)
      : train_(&train), samples_(samples) {}

  /// Throws input_error where the data do not fit the model, or there are none.
  template <class Context>
  void check(Context &context) const {
    if (train_) {
      detail::check_test_set("mean_gradient", context.outline(), *train_);
      if (train_->size() == 0) throw input_error("mean_gradient", "at least one sample", "none");
    } else if (context.outline().learns_from_samples) {
      throw input_error("mean_gradient",
                        "training samples as its first argument, since the model learns from "
                        "samples",
                        "none");
    }
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    using value = typename Context::value_type;
    host_model<value> const &model = context.model();
    std::span<value const> const x(context.mean_model(), model.outline().row_length());
    double square = 0;
    if (train_) {
      auto const chosen = detail::keyed_sample(context.seed(), 2, train_->size(), samples_);
      auto const count = static_cast<std::uint32_t>(chosen.size());
      partition const one({0, count}, chosen);
      std::vector<value> gradient;
      detail::gradient_at(model, x, 0, count, {train_, &one}, gradient);
      for (value const g : gradient) square += static_cast<double>(g) * static_cast<double>(g);
    } else {
      square = heterogeneity_of_gradients(model, context.size().nodes, x).squared_norm;
    }
    r.set("mean_gradient_norm", std::sqrt(square));
  }

 private:
  dataset const *train_ = nullptr;
  std::size_t samples_ = 0;
};

}  // namespace gossip
