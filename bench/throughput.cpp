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

/// What all measurements of a process share.
struct setting {
  arguments const &given;
  figures &results;
  dataset const &train;
  copier const copies{};
};

template <class Model, class Exchange>
void measure(setting const &all, std::string const &name, Exchange const &exchange) {
  if (!all.given.wants(name)) return;
  double const flops = Model::training_flops * batch;
  double const bytes = row_bytes<Model>(exchange);
  double const sgemm_before = sgemm_rate(), copy_before = all.copies.plain();
  stretch seen{.warm_up = 4 * nodes, .enough = all.given.quick ? 0.7 : 2.0};
  simulator network{topology, Model{}, optimizer, exchange};
  network.run({.seed = 1, .batch = batch, .stop = rounds{1'000'000}, .interrupt = &seen.over},
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

template <class Model>
void measure_exchanges(setting const &all, std::string const &model) {
  measure<Model>(all, model + ".d_psgd", d_psgd{});
  measure<Model>(all, model + ".ad_psgd", ad_psgd{});
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  auto const [train, test] = gossip::digits("samples/data/digits");
  setting const all{given, results, train};
  measure_exchanges<gossip::lenet5>(all, "lenet5");
  measure_exchanges<gossip::mlp>(all, "mlp");
  measure_exchanges<gossip::softmax_regression>(all, "softmax_regression");
}
