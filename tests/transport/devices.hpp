// Law 2 for ranks that have a device each: a run that is spread over them is that of one process
// with a device, bit for bit, whether MPI reads the device's memory or not.
#pragma once

#include "../engine/late_device.hpp"
#include "own_exchanges.hpp"
#include "ranks.hpp"

namespace gossip::test {

/// All processes of mpirun, said to read device memory or not to.
struct ranks_with_devices : mpi_ranks {
  bool direct;
  bool reads_device_memory() const { return direct; }
};

template <class Precision = full_precision, class Topology, class Exchange, class Model,
          class... Data>
void check_devices(Topology const &topology, Exchange const &exchange,
                   some_optimizer const &optimizer, Model const &model, run_settings settings,
                   Data const &...data) {
  virtual_clock const clock{.compute = lognormal_time{.cv = 0.3}};
  Precision precision{};
  if constexpr (Precision::scales_loss) precision.loss_scale = 0x1p24;  // some gradients overflow
  for (std::uint64_t const period : {std::uint64_t{2}, std::uint64_t{1000}}) {
    auto const one = outcome_of<Model>(
        simulator{topology, model, optimizer, exchange, recording_device{}, clock, precision},
        settings, period, data...);
    for (bool const direct : {false, true}) {
      CAPTURE(direct, period, topology.nodes);
      auto const many =
          outcome_of<Model>(simulator{topology, model, optimizer, exchange, late_device{}, clock,
                                      precision, ranks_with_devices{all_ranks(), direct}},
                            settings, period, data...);
      check_same(one, many);
      rank_traffic const &traffic = many.report.traffic;
      CHECK(traffic.rows == (direct ? row_path::direct : row_path::pinned));
      CHECK((traffic.copies_down > 0) == (!direct && traffic.bytes_sent > 0));
      CHECK(traffic.ranks_a_device == (all_ranks().on_this_machine() + 1) / 2);
    }
  }
}

/// 1,391 parameters: stretches of columns, the last of them short.
using wide_classifier = sequential<input<1, 4, 4>, dense<63>, relu, dense<5>>;

/// On graphs that rows cross in all ways.
template <class Exchange>
void check_crossings(Exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  some_optimizer const fine{adam{}};
  wide_classifier const wide{};
  auto const data = split(tiny_images(), iid{});
  for (std::size_t const n : {1, 2, 3, 17})
    check_devices(wheel{n}, exchange, n % 2 ? heavy : fine, wide, six_rounds, data);
  check_devices(ring{23}, exchange, fine, wide, six_rounds, data);
  check_devices(random_regular{.nodes = 30, .degree = 8}, exchange, heavy, wide, six_rounds, data);
}

/// And what models, precisions and statistics add to that.
template <class Exchange>
void check_devices(Exchange const &exchange) {
  check_crossings(exchange);
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  some_optimizer const fine{adam{}};
  auto const data = split(tiny_images(), iid{});
  run_settings chunks = six_rounds;
  chunks.batch = 70;
  chunks.statistics = statistics::reestimated;
  check_devices(wheel{7}, exchange, heavy, normalised_classifier{}, chunks, data);
  chunks.statistics = statistics::mixed;
  check_devices<mixed_precision<fp16>>(wheel{7}, exchange, fine, normalised_classifier{}, chunks,
                                       data);
  check_devices<mixed_precision<bf16>>(wheel{7}, exchange, heavy, tiny_classifier{}, chunks, data);
}

}  // namespace gossip::test
