// Law 2 for ranks: a run that is spread over them is that of one process, bit for bit, records
// included. An exchange joins with one call of check_ranks. Every rank runs every test.
#pragma once

#include <gossip/graph/random_regular.hpp>
#include <gossip/graph/ring.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/transport/mpi_ranks.hpp>

#include <optional>
#include <vector>

#include "../exchange/conformance.hpp"

namespace gossip::test {

/// All processes of mpirun.
inline mpi_ranks const &all_ranks() {
  static mpi_ranks const ranks;
  return ranks;
}

/// Keeps the records; the vector outlives the run.
struct keep {
  std::vector<record> *records;
  void take(record const &r) { records->push_back(r); }
};

/// What two runs have to have in common.
struct outcome {
  run_report report;
  std::vector<record> records;
  std::vector<snapshot> seen;
};

inline void check_same(record const &a, record const &b) {
  CHECK(a.mark.round == b.mark.round);
  CHECK(a.mark.node_iterations == b.mark.node_iterations);
  CHECK(a.mark.bytes_sent == b.mark.bytes_sent);
  CHECK(a.mark.time == b.mark.time);
  CHECK(a.loss == b.loss);
  CHECK(a.consensus_distance == b.consensus_distance);
  CHECK(a.statistics_distance == b.statistics_distance);
  CHECK(a.averaged_model_accuracy == b.averaged_model_accuracy);
  CHECK(a.test_loss == b.test_loss);
  REQUIRE(a.accuracy.has_value() == b.accuracy.has_value());
  if (!a.accuracy) return;
  CHECK(a.accuracy->mean == b.accuracy->mean);
  CHECK(a.accuracy->min == b.accuracy->min);
  CHECK(a.accuracy->max == b.accuracy->max);
  CHECK(a.accuracy->std == b.accuracy->std);
}

inline void check_same(outcome const &one, outcome const &many) {
  CHECK(hex(many.report.digest) == hex(one.report.digest));
  CHECK(many.report.ranks == all_ranks().size());
  CHECK(many.report.mean_cohort == one.report.mean_cohort);
  CHECK(many.report.node_iterations == one.report.node_iterations);
  CHECK(many.report.bytes_sent == one.report.bytes_sent);
  CHECK(many.report.virtual_seconds == one.report.virtual_seconds);
  check_same(one.report.last, many.report.last);
  REQUIRE(many.report.skipped.has_value() == one.report.skipped.has_value());
  if (one.report.skipped) {
    skipped_steps const &a = *one.report.skipped, &b = *many.report.skipped;
    CHECK(b.steps == a.steps);
    CHECK(b.worst == a.worst);
    CHECK(b.most == a.most);
    CHECK(b.smallest_scale == a.smallest_scale);
    CHECK(b.largest_scale == a.largest_scale);
  }
  REQUIRE(many.seen.size() == one.seen.size());
  for (std::size_t k = 0; k < one.seen.size(); ++k) CHECK(many.seen[k].rows == one.seen[k].rows);
  if (all_ranks().rank() > 0) {  // one rank speaks
    CHECK(many.records.empty());
    return;
  }
  REQUIRE(many.records.size() == one.records.size());
  for (std::size_t k = 0; k < one.records.size(); ++k) check_same(one.records[k], many.records[k]);
}

/// looks: whether a test set is there for accuracy. period: how often all are looked at.
template <class Model, class Simulator, class... Data>
outcome outcome_of(Simulator network, run_settings const &settings, std::uint64_t period,
                   Data const &...data) {
  outcome result;
  auto const run = [&](auto... accuracies) {
    result.report =
        network.run(settings, data...,
                    every(rounds{period}, accuracies..., consensus_distance{}, watch{&result.seen}),
                    keep{&result.records});
  };
  if constexpr (Model::learns_from_samples)
    run(accuracy{tiny_images(), {.nodes = 3, .samples = 70}});
  else
    run();
  return result;
}

/// One process against all ranks.
template <class T, class Precision = full_precision, class Row = T, class Topology, class Exchange,
          class Model, class... Data>
void check_spread(Topology const &topology, Exchange const &exchange,
                  some_optimizer const &optimizer, Model const &model, run_settings settings,
                  Data const &...data) {
  virtual_clock const clock{.compute = lognormal_time{.cv = 0.3}};
  Precision precision{};
  if constexpr (Precision::scales_loss) precision.loss_scale = 0x1p24;  // some gradients overflow
  for (std::uint64_t const period : {std::uint64_t{1}, std::uint64_t{1000}}) {
    auto const one =
        outcome_of<Model>(simulator{topology, model, optimizer, exchange, openmp{.threads = 1},
                                    numbers<T, Row>{}, clock, precision},
                          settings, period, data...);
    for (std::size_t const threads : {1, 2}) {
      if (threads > 1 && (period == 1 || topology.nodes != 17)) continue;
      CAPTURE(threads, period, topology.nodes);
      auto const many = outcome_of<Model>(
          simulator{topology, model, optimizer, exchange, openmp{.threads = threads},
                    numbers<T, Row>{}, clock, precision, all_ranks()},
          settings, period, data...);
      check_same(one, many);
    }
  }
}

/// Rows of 16 bits, whose halo comes whole, in stretches and in slices; with a scaled loss how
/// often a node has written depends on its values.
template <class Row, class Exchange>
void check_rounded_rows(Exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}}, plain{sgd{.rate = 0.1}};
  quadratic<4099> const wide{
      .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
  for (std::size_t const n : {1, 2, 17})
    check_spread<float, full_precision, Row>(wheel{n}, exchange, heavy, wide, six_rounds);
  check_spread<float, full_precision, Row>(ring{40}, exchange, plain, wide, six_rounds);
  for (std::size_t const n : {12, 30})
    if constexpr (exchange_rows<Exchange> == 0 || !mixed_precision<Row>::scales_loss)
      check_spread<float, mixed_precision<Row>, Row>(random_regular{.nodes = n, .degree = 8},
                                                     exchange, heavy, tiny_classifier{}, six_rounds,
                                                     split(tiny_images(), iid{}));
}

template <class Exchange>
void check_ranks(Exchange const &exchange) {
  constexpr bool scaled_loss = exchange_rows<Exchange> == 0;  // others refuse fp16's gradients
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  some_optimizer const plain{sgd{.rate = 0.1}}, fine{adam{}};
  quadratic<4099> const wide{
      .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
  for (std::size_t const n : {1, 2, 3, 17, 40}) {
    check_spread<float>(wheel{n}, exchange, heavy, wide, six_rounds);
    check_spread<float>(wheel{n}, exchange, n % 2 ? plain : fine, tiny_classifier{}, six_rounds,
                        split(tiny_images(), iid{}));
  }
  check_spread<float>(ring{40}, exchange, fine, wide, six_rounds);
  check_spread<float>(random_regular{.nodes = 30, .degree = 8}, exchange, heavy, wide, six_rounds);
  run_settings chunks = six_rounds;
  chunks.batch = 70;
  for (statistics const kept : {statistics::mixed, statistics::own, statistics::reestimated}) {
    chunks.statistics = kept;
    check_spread<float>(wheel{7}, exchange, heavy, normalised_classifier{}, chunks,
                        split(tiny_images(), iid{}));
  }
  if constexpr (scaled_loss)
    check_spread<float, mixed_precision<fp16>>(wheel{7}, exchange, fine, normalised_classifier{},
                                               chunks, split(tiny_images(), iid{}));
  check_spread<float, mixed_precision<bf16>>(wheel{7}, exchange, heavy, tiny_classifier{}, chunks,
                                             split(tiny_images(), iid{}));
  check_rounded_rows<fp16>(exchange);
  check_rounded_rows<bf16>(exchange);
}

/// The same on one model only, for an exchange whose verbs other exchanges try on all of them.
template <class Exchange>
void check_ranks_briefly(Exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  quadratic<4099> const wide{
      .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
  for (std::size_t const n : {1, 2, 3, 17, 40})
    check_spread<float>(wheel{n}, exchange, heavy, wide, six_rounds);
  check_spread<float>(ring{40}, exchange, heavy, wide, six_rounds);
}

}  // namespace gossip::test
