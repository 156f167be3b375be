// The suite of devices.hpp, compiled once for all exchanges: engines of every kind of model.
#include "devices.hpp"

#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "outcomes.hpp"

namespace gossip::test {

namespace {

sgd const heavy_optimizer{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01};
adam const fine_optimizer{};

template <class Precision = full_precision, class Optimizer, class Model, class... Data>
void check_spread_over_devices(some_topology const &topology, some_exchange const &exchange,
                               Optimizer const &optimizer, Model const &model,
                               run_settings settings, Data const &...data) {
  virtual_clock const clock{.compute = lognormal_time{.cv = 0.3}};
  Precision precision{};
  if constexpr (Precision::scales_loss) precision.loss_scale = 0x1p24;  // some gradients overflow
  auto const of_one = [&](std::uint64_t period) {
    return outcome_of<Model>(
        simulator{topology, model, optimizer, exchange, recording_device{}, clock, precision},
        settings, period, data...);
  };
  auto const check = [&](outcome const &one, std::uint64_t period) {
    for (bool const direct : {false, true}) {
      CAPTURE(direct, period, topology.nodes);
      simulator const spread{
          topology,      model, optimizer, exchange,
          late_device{}, clock, precision, ranks_with_devices{all_ranks(), direct}};
      auto const run = [&](run_settings const &how) {
        return outcome_of<Model>(spread, how, period, data...);
      };
      auto const many = run(settings);
      check_same(one, many);
      if (period > 2) check_states(one, many, settings, run);
      communication_report const &traffic = many.report.traffic;
      CHECK(traffic.rows == (direct ? row_path::direct : row_path::pinned));
      CHECK((traffic.copies_down > 0) == (!direct && traffic.bytes_sent > 0));
      CHECK(traffic.ranks_a_device == (all_ranks().local_size() + 1) / 2);
    }
  };
  each_period(std::array<std::uint64_t, 2>{2, 1000}, of_one, check);
}

/// 533 parameters: three tiles of a halo, the last of them short.
using wide_classifier = sequential<input<1, 4, 4>, dense<24>, relu, dense<5>>;

}  // namespace

device_costs costs_of(some_exchange const &exchange, std::uint64_t count) {
  simulator network{some_topology{ring{.nodes = 24}},
                    wide_classifier{},
                    heavy_optimizer,
                    exchange,
                    late_device{},
                    ranks_with_devices{all_ranks(), false}};
  late_device::waits = 0;
  auto const report = network.run({.batch = 5, .stop = rounds{count}}, split(tiny_images(), iid{}));
  return {late_device::waits, report.traffic};
}

void check_crossings(some_exchange const &exchange) {
  wide_classifier const wide{};
  auto const data = split(tiny_images(), iid{});
  for (std::size_t const n : {1, 3, 17})
    check_spread_over_devices(fan{n}, exchange, heavy_optimizer, wide, six_rounds, data);
  check_spread_over_devices(fan{2}, exchange, fine_optimizer, wide, six_rounds, data);
  check_spread_over_devices(ring{23}, exchange, fine_optimizer, wide, six_rounds, data);
  check_spread_over_devices(random_regular{.nodes = 26, .degree = 5}, exchange, heavy_optimizer,
                            wide, six_rounds, data);
}

void check_crossings_of_verbs(some_exchange const &exchange) {
  wide_classifier const wide{};
  auto const data = split(tiny_images(), iid{});
  check_spread_over_devices(fan{3}, exchange, heavy_optimizer, wide, six_rounds, data);
  check_spread_over_devices(ring{23}, exchange, fine_optimizer, wide, six_rounds, data);
  check_spread_over_devices(random_regular{.nodes = 26, .degree = 5}, exchange, heavy_optimizer,
                            wide, six_rounds, data);
}

void check_devices(some_exchange const &exchange) {
  check_crossings(exchange);
  auto const data = split(tiny_images(), iid{});
  run_settings chunks = six_rounds;
  chunks.batch = 70;
  chunks.statistics = statistics_mode::reestimated;
  check_spread_over_devices(fan{7}, exchange, heavy_optimizer, normalised_classifier{}, chunks,
                            data);
  chunks.statistics = statistics_mode::mixed;
  check_spread_over_devices<mixed_precision<fp16>>(fan{7}, exchange, fine_optimizer,
                                                   normalised_classifier{}, chunks, data);
  check_spread_over_devices<mixed_precision<bf16>>(fan{7}, exchange, heavy_optimizer,
                                                   tiny_classifier{}, chunks, data);
}

}  // namespace gossip::test
