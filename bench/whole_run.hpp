// Node-iterations a second of a whole simulation, exchange included, and how near it comes to the
// roofline: FLOPs at SGEMM rate, then the plan's row bytes at copy bandwidth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/gossip.hpp>

#include "figures.hpp"
#include "limits.hpp"
#include "row_bytes.hpp"
#include "steady_rate.hpp"

namespace gossip::bench {

/// A network whose nodes have a model each, and the batch of each.
template <class Topology>
struct network_size {
  Topology topology;
  std::size_t batch;
};

/// The inputs that all measurements of a process share.
struct setting {
  arguments const &given;
  figures &results;
  dataset const &train;
  copier const copies{};
};

inline constexpr sgd heavy_ball{.rate = 0.01, .momentum = 0.9};

/// Row bytes a node-iteration of a plan's second window, the first that is like all that follow.
template <class Model, class Exchange>
double row_bytes(Exchange const &exchange, graph const &network) {
  std::size_t const nodes = network.nodes();
  planner<Exchange> plan(exchange, network, virtual_clock<lognormal_time>{},
                         {.seed = 1,
                          .node_iterations = 100 * nodes,
                          .epoch = {},
                          .message_bytes = row_length<Model> * sizeof(float),
                          .rate = [](double) { return 0.01; },
                          .cadences = {}});
  plan_window window;
  plan.next(window);
  std::uint64_t const before = window.end.node_iterations;
  plan.next(window);
  std::size_t const bytes =
      rows_moved(window, nodes, traffic_of(heavy_ball)) * row_length<Model> * sizeof(float);
  return static_cast<double>(bytes) / static_cast<double>(window.end.node_iterations - before);
}

template <class Model, class Backend = default_backend, class Topology, class Exchange>
void measure(setting const &all, std::string const &name, network_size<Topology> const &size,
             Exchange const &exchange) {
  if (!all.given.wants(name)) return;
  graph const network = size.topology.build(1);
  double const flops = Model::training_flops * static_cast<double>(size.batch);
  double const bytes = row_bytes<Model>(exchange, network);
  double const sgemm_before = sgemm_rate(), copy_before = all.copies.plain();
  bool const large = flops > 1e10;
  interval seen{.warm_up = (large ? 1 : 4) * network.nodes(),
                .enough = (all.given.quick ? 0.7 : 2.0) * (large ? 3 : 1)};
  simulator nodes{size.topology, Model{}, heavy_ball, exchange, Backend{}};
  nodes.run({.seed = 1, .batch = size.batch, .stop = rounds{1'000'000}, .interrupt = &seen.over},
            split(all.train, iid{}), watch{&seen});
  double const sgemm = std::max(sgemm_before, sgemm_rate());
  double const copy = std::max(copy_before, all.copies.plain());
  double const limit = 1.0 / (flops / sgemm + bytes / copy);
  all.results.add(name + ".rate", seen.per_second(), "node-iterations/s");
  all.results.add(name + ".limit", limit, "node-iterations/s");
  all.results.add(name + ".roofline", 100 * seen.per_second() / limit, "%");
  all.results.add(name + ".mflop", flops * 1e-6, "MFLOP each");
  all.results.add(name + ".megabytes", bytes * 1e-6, "MB of rows each");
}

}  // namespace gossip::bench
