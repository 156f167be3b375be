// Heterogeneity of a network's data as its gradients see it: zeta^2, the mean squared distance of
// the nodes' gradients from their mean at one model. X. Lian, C. Zhang, H. Zhang, C.-J. Hsieh, W.
// Zhang, J. Liu, "Can decentralized algorithms outperform centralized algorithms? A case study for
// decentralized parallel stochastic gradient descent", NIPS 2017, assumption 1, where it is
// bounded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/core/node.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/worker.hpp>

namespace gossip {

/// With f_i the mean loss of node i's samples and f = (1 / n) sum_i f_i, at one model.
struct gradient_heterogeneity {
  std::vector<double> of_node;  ///< (n) |grad f_i - grad f|^2
  double mean = 0;              ///< over the nodes: zeta^2
  double squared_norm = 0;      ///< |grad f|^2
};

/// Heterogeneity of n gradients, n at least 1: gradient(i) is that of node i, a range of so many
/// columns that the next call may overwrite; it is called twice a node, so that memory is
/// O(columns).
template <class Gradient>
gradient_heterogeneity heterogeneity_of_gradients(std::size_t nodes, std::size_t columns,
                                                  Gradient gradient) {
  double const share = 1 / static_cast<double>(nodes);
  std::vector<double> mean(columns);
  for (node i = 0; i < nodes; ++i) {
    auto const &own = gradient(i);
    for (std::size_t c = 0; c < columns; ++c) mean[c] += share * static_cast<double>(own[c]);
  }
  gradient_heterogeneity found;
  for (double const x : mean) found.squared_norm += x * x;
  for (node i = 0; i < nodes; ++i) {
    auto const &own = gradient(i);
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      double const apart = static_cast<double>(own[c]) - mean[c];
      sum += apart * apart;
    }
    found.of_node.push_back(sum);
    found.mean += share * sum;
  }
  return found;
}

namespace detail {

/// gradient (parameters) = that of one node at x (d) on one batch of `samples` samples, its first.
template <class T>
void gradient_at(host_model<T> const &of, std::span<T const> x, node i, std::size_t samples,
                 training_samples const &data, std::vector<T> &gradient) {
  blas::single_thread const one_thread_blas{1};
  one_thread_region const one_thread;
  auto const worker = of.worker({.samples = data, .seed = 0, .batch = samples});
  gradient_task<T> const task{i, 0, stored_row<T>(x.data())};
  gradient_result result{};
  worker->compute({&task, 1}, &result);
  gradient.assign(worker->gradient(), worker->gradient() + of.outline().parameters);
}

}  // namespace detail

/// Heterogeneity at x (d) of a model on nodes that have these shares of the samples, each at least
/// one, taken as they are stored. Dropout and batch normalisation see a node's samples as one
/// batch.
template <class T>
gradient_heterogeneity heterogeneity_of_gradients(host_model<T> const &of, dataset const &data,
                                                  partition const &shares, std::span<T const> x) {
  std::vector<T> own;
  return heterogeneity_of_gradients(shares.nodes(), of.outline().parameters, [&](node i) -> auto & {
    detail::gradient_at(of, x, i, shares.size(i), {&data, &shares}, own);
    return own;
  });
}
template <model Model, class T>
  requires(Model::learns_from_samples)
gradient_heterogeneity heterogeneity_of_gradients(Model const &of, dataset const &data,
                                                  partition const &shares, std::span<T const> x) {
  return heterogeneity_of_gradients<T>(*model_on_host<cpu, T>(of), data, shares, x);
}

/// Heterogeneity at x (d) of n nodes with a model that is its own data, as gossip::quadratic.
template <class T>
gradient_heterogeneity heterogeneity_of_gradients(host_model<T> const &of, std::size_t nodes,
                                                  std::span<T const> x) {
  std::vector<T> own;
  return heterogeneity_of_gradients(nodes, of.outline().parameters, [&](node i) -> auto & {
    detail::gradient_at(of, x, i, 1, {}, own);
    return own;
  });
}
template <model Model, class T>
  requires(!Model::learns_from_samples)
gradient_heterogeneity heterogeneity_of_gradients(Model const &of, std::size_t nodes,
                                                  std::span<T const> x) {
  return heterogeneity_of_gradients<T>(*model_on_host<cpu, T>(of), nodes, x);
}

}  // namespace gossip
