// The suite of ranks.hpp, compiled once for all exchanges: engines of every kind of model.
#include "../fleet/stores.hpp"
#include "outcomes.hpp"

#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gossip::test {

namespace {

/// Five tiles of a halo, the last of them short. Without noise, whose draws would take most of the
/// time: classifiers draw batches and dropout, by node and step as well.
quadratic<1027> const wide{.curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .start = 0.25};

/// Two runs on all ranks, advanced in turn, whose states and rows are looked at between pieces.
template <class Simulator, class... Data>
void check_pieces(outcome const &one, Simulator const &spread, run_settings const &settings,
                  Data const &...data) {
  auto const start = [&] { return spread.start(settings, data..., consensus_distance{}); };
  auto first = start(), second = start();
  while (!first.over()) {
    first.advance(epochs{0.4});
    second.advance(epochs{0.7});
    if (first.over()) break;
    CHECK(!first.state().parts().empty());
    CHECK(hex(first.report().digest) == hex(first.report().digest));
    CHECK(first.rows().size().nodes == 17);
  }
  second.advance();
  for (auto *run : {&first, &second}) {
    CHECK(hex(run->report().digest) == hex(one.report.digest));
    CHECK(run->report().node_iterations == one.report.node_iterations);
    CHECK(run->report().virtual_seconds == one.report.virtual_seconds);
  }
}

/// The same run on all ranks whose memory has the least of the rows: of whole rows by owner or of
/// blocks, in the store of the tests or in a file.
template <class Run>
void check_tiers(outcome const &one, outcome const &many, run_settings settings,
                 some_exchange const &exchange, std::size_t nodes, Run run) {
  settings.tier = tier_shape{6, 2, lease_parts::unit, !exchange.outline().in_rounds};
  if (nodes == 24) settings.tier->by_owner ^= true;
  settings.scratch = nodes == 30 ? scratch_folder() : "";
  if (settings.scratch.empty())
    settings.store = [](std::uint64_t bytes) { return std::make_unique<awkward_store>(bytes); };
  auto const streamed = run(settings);
  CHECK(streamed.report.tier.has_value());
  CHECK(streamed.report.tier->read > 0);
  check_same(one, streamed);
  REQUIRE(streamed.states.size() == many.states.size());
  for (std::size_t k = 0; k < streamed.states.size(); ++k)
    check_same(many.states[k], streamed.states[k]);
}

/// One process against all ranks, on this clock.
template <class T, class Precision = full_precision, class Row = T, class Optimizer, class Model,
          class... Data>
void check_spread_on(virtual_clock<lognormal_time> const &clock, some_topology const &topology,
                     some_exchange const &exchange, Optimizer const &optimizer, Model const &model,
                     run_settings settings, Data const &...data) {
  Precision precision{};
  if constexpr (Precision::scales_loss) precision.loss_scale = 0x1p24;  // some gradients overflow
  auto const of_one = [&](std::uint64_t period) {
    return outcome_of<Model>(simulator{topology, model, optimizer, exchange, cpu{.threads = 1},
                                       numbers<T, Row>{}, clock, precision},
                             settings, period, data...);
  };
  auto const check = [&](outcome const &one, std::uint64_t period) {
    for (std::size_t const threads : {1, 2}) {
      if (threads > 1 && (period == 1 || topology.nodes != 17)) continue;
      CAPTURE(threads, period, topology.nodes);
      simulator const spread{
          topology,          model, optimizer, exchange,   cpu{.threads = threads},
          numbers<T, Row>{}, clock, precision, all_ranks()};
      auto const run = [&](run_settings const &how) {
        return outcome_of<Model>(spread, how, period, data...);
      };
      auto const many = run(settings);
      check_same(one, many);
      if (period > 1 && threads == 1) check_states(one, many, settings, run);
      if (period > 1 && threads == 1 && topology.nodes == 17)
        check_pieces(one, spread, settings, data...);
      if (period > 1 && threads == 1 && topology.nodes >= 17 &&
          !exchange.outline().replicas_identical)
        check_tiers(one, many, settings, exchange, topology.nodes, run);
    }
  };
  each_period(std::array<std::uint64_t, 2>{1, 1000}, of_one, check);
}

template <class T, class Precision = full_precision, class Row = T, class... Arguments>
void check_spread(some_topology const &topology, some_exchange const &exchange,
                  Arguments const &...arguments) {
  check_spread_on<T, Precision, Row>({.compute = lognormal_time{.cv = 0.3}}, topology, exchange,
                                     arguments...);
}

/// Rows of 16 bits, whose halo comes whole, in tiles and in slices; with a scaled loss how
/// often a node has written depends on its values.
template <class Row>
void check_rounded_rows(some_exchange const &exchange) {
  sgd const heavy{.rate = 0.1, .momentum = 0.9}, plain{.rate = 0.1};
  for (std::size_t const n : {1, 2, 17})
    check_spread<float, full_precision, Row>(fan{n}, exchange, heavy, wide, six_rounds);
  check_spread<float, full_precision, Row>(ring{24}, exchange, plain, wide, six_rounds);
  for (std::size_t const n : {12, 30})
    if (exchange.outline().rows == 0 || !mixed_precision<Row>::scales_loss)
      check_spread<float, mixed_precision<Row>, Row>(random_regular{.nodes = n, .degree = 8},
                                                     exchange, heavy, tiny_classifier{}, six_rounds,
                                                     split(tiny_images(), iid{}));
}

}  // namespace

void check_ranks(some_exchange const &exchange) {
  bool const scaled_loss = exchange.outline().rows == 0;  // others refuse fp16's gradients
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  some_optimizer const plain{sgd{.rate = 0.1}}, fine{adam{}};
  for (std::size_t const n : {1, 2, 3, 17, 40}) {
    check_spread<float>(fan{n}, exchange, heavy, wide, six_rounds);
    check_spread<float>(fan{n}, exchange, n % 2 ? plain : fine, tiny_classifier{}, six_rounds,
                        split(tiny_images(), iid{}));
  }
  check_spread<float>(ring{24}, exchange, fine, wide, six_rounds);
  check_spread<float>(random_regular{.nodes = 30, .degree = 8}, exchange, heavy, wide, six_rounds);
  run_settings chunks = six_rounds;
  chunks.batch = 70;
  for (statistics_mode const kept :
       {statistics_mode::mixed, statistics_mode::own, statistics_mode::reestimated}) {
    bool const of_servers = exchange.outline().evaluated == evaluated_models::servers;
    if (of_servers && kept == statistics_mode::own) continue;  // refused
    chunks.statistics = kept;
    check_spread<float>(fan{7}, exchange, heavy, normalised_classifier{}, chunks,
                        split(tiny_images(), iid{}));
  }
  if (scaled_loss)
    check_spread<float, mixed_precision<fp16>>(fan{7}, exchange, fine, normalised_classifier{},
                                               chunks, split(tiny_images(), iid{}));
  check_spread<float, mixed_precision<bf16>>(fan{7}, exchange, heavy, tiny_classifier{}, chunks,
                                             split(tiny_images(), iid{}));
  check_rounded_rows<fp16>(exchange);
  check_rounded_rows<bf16>(exchange);
}

void check_ranks_of_verbs(some_exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  some_optimizer const plain{sgd{.rate = 0.1}}, fine{adam{}};
  auto const images = split(tiny_images(), iid{});
  for (std::size_t const n : {1, 2, 17})
    check_spread<float>(fan{n}, exchange, heavy, wide, six_rounds);
  check_spread<float>(ring{24}, exchange, plain, wide, six_rounds);
  check_spread<float>(fan{3}, exchange, fine, tiny_classifier{}, six_rounds, images);
  check_spread<float>(random_regular{.nodes = 30, .degree = 8}, exchange, heavy, wide, six_rounds);
  run_settings chunks = six_rounds;
  chunks.batch = 70;
  check_spread<float>(fan{7}, exchange, heavy, normalised_classifier{}, chunks, images);
  if (exchange.outline().rows == 0)  // others refuse fp16's gradients
    check_spread<float, mixed_precision<fp16>>(fan{7}, exchange, fine, normalised_classifier{},
                                               chunks, images);
  sgd const light{.rate = 0.1, .momentum = 0.9};
  check_spread<float, full_precision, fp16>(fan{17}, exchange, light, wide, six_rounds);
  check_spread<float, mixed_precision<bf16>, bf16>(random_regular{.nodes = 30, .degree = 8},
                                                   exchange, light, tiny_classifier{}, six_rounds,
                                                   images);
}

void check_ranks_briefly(some_exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.01}};
  for (std::size_t const n : {2, 17})  // fewer nodes than ranks, and more
    check_spread<float>(fan{n}, exchange, heavy, wide, six_rounds);
  check_spread<float>(ring{24}, exchange, heavy, wide, six_rounds);
}

void check_ranks_with_loss(some_exchange const &exchange, participation const &in,
                           outages const &down) {
  virtual_clock<lognormal_time> const clock{
      .compute = {.cv = 0.3},
      .outages = down,
      .loss = {.share = 0.2, .burst_begins = 0.1, .burst_ends = 0.5, .then = after_loss::go_on},
      .participation = in};
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  check_spread_on<float>(clock, fan{17}, exchange, heavy, wide, six_rounds);
}

void check_ranks_of_classifier(some_exchange const &exchange) {
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  for (std::size_t const n : {1, 3, 17})
    check_spread<float>(fan{n}, exchange, heavy, tiny_classifier{}, six_rounds,
                        split(tiny_images(), iid{}));
}

}  // namespace gossip::test
