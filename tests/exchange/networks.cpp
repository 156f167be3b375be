// Small networks of laws.hpp and networks.hpp: their simulator is compiled once for all tests.
#include "networks.hpp"

#include <gossip/backend/cpu.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/observer/every.hpp>
#include <gossip/simulator/simulator.hpp>

#include <memory>
#include <utility>

#include "conformance.hpp"

namespace gossip::test {

struct small_network::held {
  explicit held(parts const &all)
      : network(all.topology, all.model, all.optimizer, all.exchange, with_reference{},
                numbers<double>{}, cpu{.threads = 1}, all.clock) {}

  simulator<some_topology, basic_any_model<double>, some_optimizer, some_exchange, with_reference,
            numbers<double>, cpu, virtual_clock<any_compute_time>>
      network;
};

small_network::small_network(parts const &all) : held_(std::make_shared<held const>(all)) {}

run_report small_network::run(run_settings const &settings) const {
  return held_->network.run(settings);
}

watched_run small_network::watched(run_settings const &settings, looks how) const {
  return test::watched(held_->network, settings, how);
}

std::vector<std::pair<double, double>> small_network::row_pairs(run_settings const &settings,
                                                                std::size_t first,
                                                                std::size_t second) const {
  std::vector<std::pair<double, double>> seen;
  held_->network.run(settings,
                     every(epochs{at_the_end}, test::row_pairs_at_end{&seen, first, second}));
  return seen;
}

std::vector<double> scattered_with_loss(double lost, some_topology const &topology,
                                        some_exchange const &exchange, std::uint64_t count) {
  virtual_clock<constant_time> const clock{.loss = {.share = lost, .then = after_loss::go_on}};
  auto network = on_clock(clock, topology, scattered<1>{}, 1.0, exchange);
  auto const seen = watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end).seen;
  std::vector<double> x;
  for (auto const &row : seen.back().rows) x.push_back(row[0]);
  return x;
}

snapshot settled_by(sgd const &optimizer, some_topology const &topology,
                    some_exchange const &exchange, std::uint64_t count) {
  small_network const network{topology, alternating_valleys(), optimizer, exchange};
  return watched(network, {.stop = rounds{count}}, at_the_end).seen.back();
}

snapshot settled(some_topology const &topology, some_exchange const &exchange, std::uint64_t count,
                 quadratic<1> const &model) {
  small_network const network{topology, model, sgd{.rate = 0.1}, exchange};
  return watched(network, {.stop = rounds{count}}, at_the_end).seen.back();
}

std::vector<double> mixed_numbers(some_topology const &topology, some_exchange const &exchange,
                                  std::vector<double> const &start, std::uint64_t count) {
  small_network const network{topology, quadratic<1>{.curvature = {1.0}, .optimum = start},
                              scheduled{sgd{.rate = 1.0}, step_decay{.at = {1}, .gamma = 0}},
                              exchange};
  auto const seen = watched(network, {.stop = rounds{count}}, at_the_end).seen;
  std::vector<double> x;
  for (auto const &row : seen.back().rows) x.push_back(row[0]);
  return x;
}

stationary_state stationary(some_topology const &topology, some_exchange const &exchange,
                            double rate) {
  constexpr std::size_t d = 250;  // as many networks at once
  small_network const network{topology, quadratic<d>{.noise = 1.0}, sgd{.rate = rate}, exchange};
  auto const run = watched(network, {.stop = rounds{1000}}, 10.0);  // an epoch is a round
  stationary_state found;
  double observations = 0;
  for (snapshot const &now : run.seen) {
    if (now.at.mark.round < 100) continue;
    for (std::size_t c = 0; c < d; ++c) found.mean_square += now.mean(c) * now.mean(c) / d;
    found.distance += now.distance() / d;
    ++observations;
  }
  return {found.mean_square / observations, found.distance / observations};
}

}  // namespace gossip::test
