// Node-iterations a second of whole simulations, exchange included, and how near they come to the
// roofline: FLOPs at SGEMM rate, then the plan's row bytes at copy bandwidth.
#include <algorithm>
#include <string>

#include <gossip/gossip.hpp>

#include "figures.hpp"
#include "limits.hpp"
#include "row_bytes.hpp"
#include "steady_rate.hpp"

namespace gossip::bench {

constexpr std::size_t nodes = 100, batch = 64;
constexpr random_regular topology{.nodes = nodes, .degree = 8};
constexpr sgd optimizer{.rate = 0.01, .momentum = 0.9};

/// Row bytes a node-iteration of a plan's second window, the first that is like all that follow.
template <class Model, class Exchange>
double row_bytes(Exchange const &exchange) {
  graph const network = topology.build(1);
  planner<Exchange, lognormal_time> plan(exchange, network, virtual_clock<lognormal_time>{},
                                         {.seed = 1,
                                          .node_iterations = 100 * nodes,
                                          .epochs_per_iteration = 1,
                                          .message_bytes = Model::parameters * sizeof(float),
                                          .rate = [](double) { return 0.01; },
                                          .cadences = {}});
  plan_window window;
  plan.next(window);
  std::uint64_t const before = window.end.node_iterations;
  plan.next(window);
  std::size_t const bytes =
      rows_moved(window, nodes, traffic_of(optimizer)) * Model::parameters * sizeof(float);
  return static_cast<double>(bytes) / static_cast<double>(window.end.node_iterations - before);
}

template <class Model, class Exchange>
void measure(figures &results, std::string const &name, dataset const &train,
             Exchange const &exchange, double time) {
  double const flops = Model::training_flops * batch;
  double const bytes = row_bytes<Model>(exchange);
  double sgemm = sgemm_rate();
  double const copy = copy_bandwidth().plain;
  stretch seen{.warm_up = 4 * nodes, .enough = time};
  simulator network{topology, Model{}, optimizer, exchange};
  network.run({.seed = 1, .batch = batch, .stop = rounds{1'000'000}, .interrupt = &seen.over},
              split(train, iid{}), watch{&seen});
  sgemm = std::max(sgemm, sgemm_rate());
  double const limit = 1.0 / (flops / sgemm + bytes / copy);
  results.add(name + ".rate", seen.per_second(), "node-iterations/s");
  results.add(name + ".limit", limit, "node-iterations/s");
  results.add(name + ".roofline", 100 * seen.per_second() / limit, "%");
  results.add(name + ".mflop", flops * 1e-6, "MFLOP each");
  results.add(name + ".megabytes", bytes * 1e-6, "MB of rows each");
}

template <class Model>
void measure_exchanges(figures &results, arguments const &given, std::string const &model,
                       dataset const &train) {
  double const time = given.quick ? 0.7 : 2.0;
  if (given.wants(model + ".d_psgd"))
    measure<Model>(results, model + ".d_psgd", train, d_psgd{}, time);
  if (given.wants(model + ".ad_psgd"))
    measure<Model>(results, model + ".ad_psgd", train, ad_psgd{}, time);
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  auto const [train, test] = gossip::digits("samples/data/digits");
  measure_exchanges<gossip::lenet5>(results, given, "lenet5", train);
  measure_exchanges<gossip::mlp>(results, given, "mlp", train);
  measure_exchanges<gossip::softmax_regression>(results, given, "softmax_regression", train);
}
