// The poorest model of each concept: just what its contract demands, in the plainest form. The
// simulator compiles with all of them at once; tests/simulator/archetypes.cpp runs them.
#pragma once

#include <gossip/core/node.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/graph/graph.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gossip::test::archetypes {

struct topology {
  graph build(std::uint64_t) const { return graph::undirected(2, {{0, 1}}); }
};

/// One parameter and no data: the gradient is the parameter.
struct model {
  static constexpr std::size_t parameters = 1;
  static constexpr bool learns_from_samples = false;

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t) const {
    row[0] = 1;
  }
  void gradient(auto &, auto const &task) const {
    for (std::size_t j = 0; j < task.k; ++j) {
      *task.gradient.at(j) = *task.parameters.at(j);
      *task.loss.at(j) = 0;
    }
  }
};

/// Plain gradient descent; a gradient always takes a row.
struct optimizer {
  double rate = 0.5;

  template <class T>
  struct arithmetic {
    static constexpr std::size_t rows = 1;
    using scale_type = T;

    constexpr T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
    constexpr void absorb(T gradient, T, T *row) const { *row = gradient; }
    constexpr void step(T rate, T &parameter, T const *row) const { parameter -= rate * *row; }
    constexpr void absorb_and_step(T rate, T gradient, T &parameter, T *row) const {
      absorb(gradient, parameter, row);
      step(rate, parameter, row);
    }
  };

  std::size_t rows(bool) const { return 1; }
  void check() const {}
  template <class T, class F>
  auto kernel(bool, F f) const {
    return f(arithmetic<T>{});
  }
};

struct exchange_in_rounds {
  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
  }
};

struct exchange_by_events {
  void on_trained(auto &plan, node i) const {
    plan.step(i);
    plan.train(i);
  }
};

/// A column function.
struct halved {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 1, writes = 1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] *= T(0.5);
  }
};

struct compute_time {
  virtual_time duration(std::uint64_t, node, std::uint64_t) const { return virtual_time(1); }
};

/// All samples go to every node.
struct split_policy {
  partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                   std::uint64_t) const {
    std::vector<std::uint32_t> offsets{0}, samples;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::uint32_t s = 0; s < labels.size(); ++s) samples.push_back(s);
      offsets.push_back(static_cast<std::uint32_t>(samples.size()));
    }
    return {offsets, samples};
  }
};

// Observers with one hook each.

struct begins {
  void begin(auto const &) {}
};
struct measures {
  void measure(auto &, auto &) {}
};
struct takes {
  void take(auto const &) {}
};
struct ticks {
  void tick(auto const &, double) {}
};
struct ends {
  void end(auto const &) {}
};

}  // namespace gossip::test::archetypes
