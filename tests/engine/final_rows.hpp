// The parameters of a small network after twenty steps, for comparing backends that add in
// different orders.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <gossip/backend/serial.hpp>

#include "small_network.hpp"

namespace gossip::test {

/// Keeps the rows of all nodes as they are at the end.
struct keep_rows {
  std::vector<double> *rows;

  void measure(auto &context, record &) {
    rows->clear();
    each_row(context.rows(), [&](std::size_t, auto const &row) {
      for (auto const x : row) rows->push_back(static_cast<double>(x));
    });
  }
};

template <class Model, class Exchange, class Optimizer, class Backend>
std::vector<double> rows_after(std::uint64_t steps, Exchange const &exchange,
                               Optimizer const &optimizer, Backend const &backend) {
  std::vector<double> kept;
  simulator network{random_regular{.nodes = 12, .degree = 3}, held_model_of<Model>(backend),
                    optimizer, exchange, backend};
  network.run({.seed = 3, .batch = 70, .stop = rounds{steps}}, split(small_images(), iid{}),
              keep_rows{&kept});
  return kept;
}

inline double distance(std::vector<double> const &a, std::vector<double> const &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Distance of a backend's parameters from the serial backend's after twenty steps, as a share of
/// the distance that these have moved.
template <class Model, class Exchange, class Optimizer, class Backend>
double apart_after_20_steps(Exchange const &exchange, Optimizer const &optimizer,
                            Backend const &backend) {
  Optimizer still = optimizer;
  still.rate = 0.0;
  auto const start = rows_after<Model>(1, exchange, still, serial{});
  auto const host = rows_after<Model>(20, exchange, optimizer, serial{});
  return distance(rows_after<Model>(20, exchange, optimizer, backend), host) /
         distance(start, host);
}

}  // namespace gossip::test
