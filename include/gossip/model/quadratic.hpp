// f_i(x) = a_i |x - b_i 1|^2 / 2 with keyed gradient noise: a network whose optimum is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/random.hpp>
#include <gossip/model/model.hpp>

namespace gossip {

/// Node i takes curvature[i % size] and optimum[i % size]; every coordinate of x is its own copy of
/// the same problem, with its own noise. The network's optimum is sum a_i b_i / sum a_i. For
/// backends of the host.
template <std::size_t Parameters = 1>
struct quadratic {
  std::vector<double> curvature{1.0};  ///< a_i > 0
  std::vector<double> optimum{0.0};    ///< b_i
  double noise = 0.0;                  ///< standard deviation of each gradient's error
  double start = 0.0;                  ///< every coordinate of every node at the beginning

  static constexpr std::size_t parameters = Parameters;
  static constexpr bool learns_from_samples = false;
  static constexpr double training_flops = 2.0 * Parameters;
  static constexpr double evaluation_flops = 3.0 * Parameters;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }

  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    for (T &x : row) x = static_cast<T>(start);
  }

  void check() const {
    if (curvature.empty() || optimum.empty())
      throw input_error("quadratic", "at least one curvature and one optimum", "none");
    for (double const a : curvature)
      if (!(a > 0.0)) throw input_error("quadratic", "curvatures > 0", std::to_string(a));
    if (!(noise >= 0.0)) throw input_error("quadratic", "noise >= 0", std::to_string(noise));
  }

  /// a_i (x - b_i) plus noise keyed by (seed, node, step); the loss is f_i(x).
  template <class Worker, class T, class Source>
  void gradient(Worker &, training_task<T, Source> const &task) const {
    static_assert(
        !requires { requires Worker::on_gpu; },
        "gossip::quadratic: it is computed on the host, which cannot read a GPU's memory; "
        "take the backend openmp or serial. See docs/policies/model.md");
    for (std::size_t j = 0; j < task.k; ++j) {
      node const i = task.nodes[j];
      T const a = static_cast<T>(curvature[i % curvature.size()]);
      T const b = static_cast<T>(optimum[i % optimum.size()]);
      keyed_random random(task.seed, purpose::synthetic_data, i, task.steps[j]);
      double loss = 0;
      for (std::size_t c = 0; c < Parameters; ++c) {
        T const away = task.parameters.at(j)[c] - b;
        task.gradient.at(j)[c] = a * away;
        loss += 0.5 * static_cast<double>(a * away * away);
        if (noise != 0.0) task.gradient.at(j)[c] += static_cast<T>(noise * random.normal());
      }
      *task.loss.at(j) = loss;
    }
  }

  static constexpr char const *name = "quadratic";
  static constexpr char const *meaning =
      "a_i (x - b_i)^2 / 2 a parameter, its own data: the optimum is known";
  static constexpr auto members() {
    return member_list{described("curvature", &quadratic::curvature, "a_i of node i, repeated",
                                 {.most = 1e6, .above_least = true, .fewest = 1}),
                       described("optimum", &quadratic::optimum, "b_i of node i, repeated",
                                 {.least = -1e6, .most = 1e6, .fewest = 1}),
                       described("noise", &quadratic::noise,
                                 "standard deviation of a gradient's error", {.most = 1e6}),
                       described("start", &quadratic::start, "where every node begins",
                                 {.least = -1e6, .most = 1e6})};
  }
};

static_assert(model<quadratic<>>);

}  // namespace gossip
