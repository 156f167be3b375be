// Runs of a small network on a device and on the host, whose bits are to be the same; compiled once
// for all exchanges.
#pragma once

#include <type_traits>
#include <vector>

#include "../exchange/conformance.hpp"
#include "recording_device.hpp"
#include "small_network.hpp"

namespace gossip::test {

/// Three windows of twelve nodes, and the state at the end of each.
struct small_run {
  run_report report;
  std::vector<named_state> states;
};

inline void check_same(small_run const &a, small_run const &b) {
  CHECK(hex(a.report.digest) == hex(b.report.digest));
  CHECK(a.report.virtual_seconds == b.report.virtual_seconds);
  CHECK(a.report.last.loss == b.report.last.loss);
  CHECK(a.report.last.accuracy->mean == b.report.last.accuracy->mean);
  CHECK(*a.report.last.averaged_model_accuracy == *b.report.last.averaged_model_accuracy);
  CHECK(*a.report.last.consensus_distance == *b.report.last.consensus_distance);
  REQUIRE(a.report.skipped.has_value() == b.report.skipped.has_value());
  if (!a.report.skipped) return;
  CHECK(a.report.skipped->steps == b.report.skipped->steps);
  CHECK(a.report.skipped->worst == b.report.skipped->worst);
  CHECK(a.report.skipped->smallest_scale == b.report.skipped->smallest_scale);
  CHECK(a.report.skipped->largest_scale == b.report.skipped->largest_scale);
}

/// One model for a device and for the host.
struct models_of_both {
  basic_any_model<float, recording_device> on_device;
  basic_any_model<float, serial> on_host;

  auto const &of(recording_device const &) const { return on_device; }
  auto const &of(serial const &) const { return on_host; }
};

/// Laws 1 and 8 for a device: its bits are those of the reference engine, and so are its states, of
/// which each makes what the other does. Returns the host's report.
template <class Optimizer, class Row>
run_report check_bits_of_device(models_of_both const &models, some_exchange const &exchange,
                                Optimizer const &optimizer, numbers<float, Row> const &rows) {
  auto const run = [&](auto backend, named_state const *from = nullptr, bool in_pieces = false) {
    simulator network{random_regular{.nodes = 12, .degree = 3},
                      models.of(backend),
                      optimizer,
                      exchange,
                      backend,
                      with_reference{},
                      rows};
    small_run result;
    execution const engine = backend.on_device ? execution::levelled : execution::reference;
    auto learning = network.start(
        {.seed = 3, .batch = 70, .stop = rounds{9}, .engine = engine, .state = from},
        split(small_images(), iid{}),
        every(rounds{3}, accuracy{small_images(), {.nodes = 5}}, consensus_distance{}),
        keep_states{in_pieces ? nullptr : &result.states});
    while (in_pieces ? learning.advance(rounds{2}) : learning.advance()) {
    }
    result.report = learning.report();
    return result;
  };
  auto const device = run(recording_device{}), host = run(serial{});
  check_same(device, host);
  check_same(run(recording_device{}, nullptr, true), host);
  REQUIRE(device.states.size() == host.states.size());
  for (std::size_t k = 0; k < host.states.size(); ++k) {
    check_same(device.states[k], host.states[k]);
    auto const resumed = run(recording_device{}, &host.states[k]);
    check_same(resumed, host);
    CHECK(resumed.report.mean_cohort == device.report.mean_cohort);
    check_same(run(serial{}, &device.states[k]), host);
  }
  return host.report;
}

template <class Model, class Optimizer, class Row = float, class Precision = full_precision>
run_report check_device(some_exchange const &exchange, Optimizer const &optimizer,
                        numbers<float, Row> const &rows = {}, Precision const &precision = {}) {
  // Rows in fp16 are not for optimizers that keep squares, which some_optimizer might hold.
  using held = std::conditional_t<std::is_same_v<Row, fp16>, sgd, some_optimizer>;
  return check_bits_of_device({{Model{}, precision}, {Model{}, precision}}, exchange,
                              held{optimizer}, rows);
}

}  // namespace gossip::test
