// f_i(x) = a_i |x - b_i|^2 / 2 with keyed gradient noise: a network whose optimum is known.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/core/random.hpp>
#include <gossip/model/model.hpp>
#include <gossip/model/node_values.hpp>

namespace gossip {

/// Node i takes curvature[i % size] and optimum.of(i), a number for all coordinates or one for each
/// of them; every coordinate of x is a problem of its own, with its own noise. The network's
/// optimum is sum a_i b_i / sum a_i. For backends of the host.
template <std::size_t Parameters = 1>
struct quadratic {
  std::vector<double> curvature{1.0};  ///< a_i > 0
  node_values optimum{0.0};            ///< b_i
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
      require(a > 0.0 && std::isfinite(a), "curvature", "finite numbers above 0", a);
    for (std::size_t k = 0; k < optimum.size(); ++k) check_optimum(k);
    require(noise >= 0.0 && std::isfinite(noise), "noise", "a finite number of at least 0", noise);
    require(std::isfinite(start), "start", "a finite number", start);
  }

  /// a_i (x - b_i) plus noise keyed by (seed, node, step); the loss is f_i(x).
  template <class Worker, class T, class Source>
  void gradient(Worker &, training_task<T, Source> const &task) const {
    static_assert(
        !requires { requires Worker::on_gpu; },
        "gossip::quadratic: it is computed on the host, which cannot read a GPU's memory; "
        "take the backend cpu or serial. See docs/policies/model.md");
    for (std::size_t j = 0; j < task.k; ++j) {
      node const i = task.nodes[j];
      T const a = static_cast<T>(curvature[i % curvature.size()]);
      node_values::entry const &b = optimum.of(i);
      std::size_t const next = b.size() > 1 ? 1 : 0;  // from a coordinate's optimum to the next's
      keyed_random random(task.seed, purpose::synthetic_data, i, task.steps[j]);
      double loss = 0;
      for (std::size_t c = 0; c < Parameters; ++c) {
        T const away = task.parameters.at(j)[c] - static_cast<T>(b[c * next]);
        task.gradient.at(j)[c] = a * away;
        loss += 0.5 * static_cast<double>(a * away * away);
        if (noise != 0.0) task.gradient.at(j)[c] += static_cast<T>(noise * random.normal());
      }
      *task.loss.at(j) = loss;
    }
  }

  static constexpr char const *name = "quadratic";
  static constexpr char const *meaning =
      "loss a_i (x - b_i)^2 / 2 per parameter, without a data set: the optimum is known";
  static constexpr auto members() {
    return member_list{described("curvature", &quadratic::curvature,
                                 "curvature a_i of node i; a short list repeats",
                                 {.most = 1e6, .above_least = true, .fewest = 1}),
                       described("optimum", &quadratic::optimum,
                                 "optimum b_i of node i, a number, or a list with a number per "
                                 "parameter; a short list repeats",
                                 {.least = -1e6, .most = 1e6, .fewest = 1}),
                       described("noise", &quadratic::noise,
                                 "standard deviation of the noise of a gradient", {.most = 1e6}),
                       described("start", &quadratic::start, "initial value of every parameter",
                                 {.least = -1e6, .most = 1e6})};
  }

 private:
  static void require(bool fits, std::string const &member, char const *expected, double got) {
    if (!fits) throw input_error("quadratic: " + member, expected, detail::shortest(got));
  }
  void check_optimum(std::size_t k) const {
    node_values::entry const &list = optimum.of(k);
    if (list.size() != 1 && list.size() != Parameters)
      throw input_error(
          "quadratic: optimum",
          "per node one number or a list of " + std::to_string(Parameters) + ", one per coordinate",
          std::to_string(list.size()) + " numbers in entry " + std::to_string(k + 1));
    for (double const b : list) require(std::isfinite(b), "optimum", "finite numbers", b);
  }
};

static_assert(model<quadratic<>>);

}  // namespace gossip
