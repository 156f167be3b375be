// The suite of conformance.hpp, compiled once for all exchanges, and the exchanges that stand for
// all others with their kind of state.
#include "conformance.hpp"

#include <gossip/exchange/d_psgd.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../fleet/stores.hpp"

namespace gossip::test {

namespace {

/// A quadratic network, or one whose nodes scatter at their first step, see `scattered`: in one
/// type, so that the suite has one engine for both.
struct landscape {
  static constexpr std::size_t parameters = 7;
  static constexpr bool learns_from_samples = false;

  quadratic<parameters> valley{};
  std::optional<scattered<parameters>> scatters{};

  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 0;
  }
  template <class T>
  void initialise(std::span<T> row, std::uint64_t seed) const {
    if (scatters)
      std::ranges::fill(row, T{0});
    else
      valley.initialise(row, seed);
  }
  template <class Worker, class T, class Source>
  void gradient(Worker &worker, training_task<T, Source> const &task) const {
    if (scatters)
      scatters->gradient(worker, task);
    else
      valley.gradient(worker, task);
  }
};

landscape const valley{
    .valley = {
        .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25}};

/// Rows of three tiles.
using wide_classifier = sequential<input<1, 4, 4>, dense<230>, relu, dense<5>>;

/// Law 8: states of both engines are the same, and so is what both make of each other's. resumed(
/// engine, state): a run from there.
template <class Resumed>
void check_states(watched_run const &reference, watched_run const &levelled, Resumed resumed) {
  REQUIRE(reference.states.size() == levelled.states.size());
  for (std::size_t k = 0; k < reference.states.size(); ++k) {
    CAPTURE(k);
    check_same(reference.states[k], levelled.states[k]);
    check_same(reference, resumed(execution::reference, levelled.states[k]));
    auto const other = resumed(execution::levelled, reference.states[k]);
    check_same(reference, other);
    CHECK(other.report.mean_cohort == levelled.report.mean_cohort);
  }
}

/// Laws 1, 2 and 8: the bits of a run do not depend on the engine, on threads, nor on observers,
/// nor on the rows that memory has room for: of 17 nodes half, in a file, of fewer the least; nor
/// on whether another run's engine went on with the state at a window's end, nor on the pieces in
/// which it is advanced.
template <class T, class Row = T, class Precision = full_precision, class Exchange, class Model,
          class... Data>
void check_bits(conditions const &in, Exchange const &exchange, some_optimizer const &optimizer,
                Model const &model, run_settings settings, Data const &...data) {
  Precision precision{};
  if constexpr (Precision::scales_loss) {
    precision.loss_scale = 0x1p24;  // the first gradients overflow
    precision.growth_interval = 2;
  }
  virtual_clock<lognormal_time> clock{.compute = {.cv = 0.3}};
  clock.network.latency = clock.compute.mean / 3;  // messages are on their way as windows end
  clock.loss = in.loss;
  clock.participation = in.participation;
  clock.outages = in.outages;
  exchange_outline const of = outline_of_exchange(exchange);
  if (of.gradients_alone && of.evaluated == evaluated_models::servers)
    settings.statistics = statistics_mode::reestimated;
  for (std::size_t const n : std::array<std::size_t, 4>{1, 2, 3, 17}) {
    auto const run = [&](std::size_t threads, execution engine, looks how,
                         named_state const *from = nullptr) {
      simulator network{
          some_topology{fan{n}}, model,     optimizer, exchange,        cpu{.threads = threads},
          numbers<T, Row>{},     precision, clock,     with_reference{}};
      settings.engine = engine;
      settings.state = from;
      return watched(network, settings, how, data...);
    };
    CAPTURE(n, optimizer.kind.index());
    auto const expected = run(1, execution::reference, {at_the_end, in.keeps_states});
    std::uint64_t const wanted = std::get<rounds>(settings.stop).count * n;
    std::uint64_t const round = of.rounds.trainings(n),
                        whole = (wanted + round - 1) / round * round;
    std::uint64_t const beyond = of.in_rounds ? round - 1 : 0;  // where some are absent
    CHECK(expected.report.node_iterations >= whole);
    CHECK(expected.report.node_iterations <= whole + beyond);
    auto const levelled = run(2, execution::levelled, {at_the_end, in.keeps_states});
    check_same(expected, levelled);
    check_states(expected, levelled, [&](execution engine, named_state const &from) {
      return run(2, engine, at_the_end, &from);
    });
    if (!of.replicas_identical) {
      settings.tier = n < 17 ? tier_shape{6, 2, lease_parts::unit, false}
                             : tier_shape{9, 3, 2 * lease_parts::unit, false};
      settings.tier->by_owner = (n == 2) == of.in_rounds;
      settings.scratch = scratch_folder();
      if (n < 17 || settings.scratch.empty())
        settings.store = [](std::uint64_t bytes) { return std::make_unique<awkward_store>(bytes); };
      auto const streamed = run(2, execution::levelled, {at_the_end, in.keeps_states});
      settings.tier = {};
      settings.store = {};
      CHECK(streamed.report.tier.has_value());
      check_same(expected, streamed);
      for (std::size_t k = 0; k < streamed.states.size(); ++k)
        check_same(expected.states[k], streamed.states[k]);
    }
    if (n < 17) continue;
    check_same(expected, run(1, execution::levelled, {at_the_end, false, 0.3}));
    check_same(expected, run(3, execution::levelled, at_the_end));
    auto const looked_at = run(3, execution::reference, always);
    CHECK(hex(looked_at.report.digest) == hex(expected.report.digest));
    check_same(looked_at, run(2, execution::levelled, always));
  }
}

/// Law 4: the mean of all nodes is that of their steps, whatever the exchange does between. Law 5:
/// distances vanish on a connected graph.
void check_mixing(some_exchange const &exchange, mixing_law law,
                  virtual_clock<lognormal_time> const &clock = {}) {
  constexpr std::size_t d = landscape::parameters;
  constexpr std::uint64_t seed = 5;
  for (std::size_t const n : std::array<std::size_t, 4>{1, 2, 3, 17}) {
    scattered<d> const model{.drift = 0x1p-10};
    simulator network{some_topology{fan{n}},
                      landscape{.scatters = model},
                      some_optimizer{sgd{.rate = 1.0, .momentum = law.momentum}},
                      exchange,
                      cpu{.threads = 1},
                      numbers<double>{},
                      full_precision{},
                      clock};
    auto const run =
        watched(network, {.seed = seed, .stop = rounds{120}}, 1.0 / static_cast<double>(n));
    CAPTURE(n);
    for (snapshot const &now : run.seen) {
      std::uint64_t const steps = now.at.mark.node_iterations;
      if (steps < 4 * n) continue;  // not everybody has taken the first step
      for (std::size_t c = 0; c < d && law.keeps_mean; ++c) {
        double expected = -model.drift * static_cast<double>(steps - n) / static_cast<double>(n);
        for (node i = 0; i < n; ++i) expected += model.point(seed, i, c) / static_cast<double>(n);
        CHECK(now.mean(c) == Approx(expected).margin(law.slack));
      }
      if (law.one_model) CHECK(now.distance() == Approx(0).margin(1e-28));
    }
    // The distance left is the drift of nodes that have stepped since they averaged.
    if (law.reaches_mean) CHECK(run.seen.back().distance() < d * 4e-5);
  }
}

/// On a network that changes by rounds: an exchange that refuses one says so; to one that ignores
/// changes it is as any other network; to one that goes by the round, rounds of the same graph are
/// that graph, unless it needs one matrix for all rounds and says so.
void check_changing_network(some_exchange const &exchange, mixing_law law) {
  graph const usual = fan{5}.build(0);
  auto const of_rounds = [&](graph const &other) {
    some_topology changing{fan{5}};
    changing.made = [=](std::uint64_t) { return graph::changing(std::vector{usual, other}); };
    return changing;
  };
  auto const run = [&](some_topology const &topology) {
    simulator network{topology,
                      landscape{.scatters = {{.drift = 0x1p-10}}},
                      some_optimizer{sgd{.rate = 1.0, .momentum = law.momentum}},
                      exchange,
                      cpu{.threads = 1},
                      numbers<double>{},
                      full_precision{},
                      virtual_clock<lognormal_time>{}};
    return watched(network, {.seed = 5, .stop = rounds{20}}, at_the_end);
  };
  network_changes const says = exchange.outline().when_network_changes;
  if (says == network_changes::refused) {
    CHECK_THROWS_WITH(run(of_rounds(usual)),
                      contains("got a topology that changes from round to round"));
    return;
  }
  if (says == network_changes::ignored)
    return check_same(run(fan{5}), run(of_rounds(graph::undirected(5, {{0, 1}, {2, 4}}))));
  try {
    check_same(run(fan{5}), run(of_rounds(usual)));
  } catch (input_error const &refused) {
    CHECK_THAT(refused.what(), contains("one matrix"));
  }
}

/// The optimizers with which the laws of an exchange are checked: of all that have the rows that it
/// needs two, which its name and members choose; all for four exchanges that stand for the others.
std::vector<some_optimizer> optimizers_for(some_exchange const &exchange, mixing_law const &law) {
  std::vector<some_optimizer> all = optimizers();
  std::erase_if(all, [&](some_optimizer const &o) {
    return o.rows(exchange.outline().gradient_waits) < law.optimizer_rows;
  });
  REQUIRE(all.size() > 1);
  named_policy const policy = exchange.in_words();
  for (char const *stands : {"d_psgd", "ad_psgd", "all_reduce", "gradient_tracking"})
    if (policy.name == stands) return all;
  std::string const words = detail::in_words(exchange);
  std::uint64_t const turn = detail::hash_bytes(words.data(), words.size());
  std::size_t const first = turn % all.size(), apart = 1 + turn / all.size() % (all.size() - 1);
  return {all[first], all[(first + apart) % all.size()]};
}

run_settings chunked(statistics_mode kept, std::size_t batch) {
  run_settings settings = ten_rounds;
  settings.statistics = kept;
  settings.batch = batch;
  return settings;
}

some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}}, plain{sgd{.rate = 0.1}};

}  // namespace

void check_exchange(some_exchange const &exchange, mixing_law law) {
  for (some_optimizer const &optimizer : optimizers_for(exchange, law)) {
    check_bits<double>({}, exchange, optimizer, valley, ten_rounds);
    check_bits<float>({}, exchange, optimizer, wide_classifier{}, six_rounds,
                      split(tiny_images(), iid{}));
  }
  check_mixing(exchange, law);
  check_changing_network(exchange, law);
}

void check_kind(some_exchange const &exchange, conditions in) {
  in.keeps_states = true;
  split const images(tiny_images(), iid{});
  bool const of_servers = exchange.outline().evaluated == evaluated_models::servers;
  normalised_classifier const model;
  check_bits<double>(in, exchange, heavy, valley, ten_rounds);
  check_bits<float>(in, exchange, heavy, wide_classifier{}, ten_rounds, images);
  check_bits<float>(in, exchange, heavy, model, chunked(statistics_mode::mixed, 130), images);
  if (!of_servers)
    check_bits<float>(in, exchange, plain, model, chunked(statistics_mode::own, 70), images);
  if (exchange.outline().rows == 0)  // others refuse gradients that may overflow
    check_bits<float, float, mixed_precision<fp16>>(in, exchange, heavy, model,
                                                    chunked(statistics_mode::mixed, 70), images);
  check_bits<float, bf16, mixed_precision<bf16>>(in, exchange, {adam{}}, model,
                                                 chunked(statistics_mode::mixed, 70), images);
}

void check_with_loss(some_exchange const &exchange, mixing_law law, after_loss then) {
  check_bits<double>({.loss = bursts(then)}, exchange, heavy, valley, ten_rounds);
  check_mixing(exchange, law, {.loss = bursts(then)});
}

void check_with_absence(some_exchange const &exchange, mixing_law law) {
  check_bits<double>({.participation = spells}, exchange, heavy, valley, ten_rounds);
  check_bits<double>({.loss = {.share = 0.1, .then = after_loss::go_on}, .participation = spells},
                     exchange, heavy, valley, six_rounds);
  check_mixing(exchange, law, {.participation = spells});
}

void check_with_outages(some_exchange const &exchange, mixing_law law) {
  for (auto const then : {after_outage::go_on, after_outage::time_out}) {
    check_bits<double>({.loss = {.share = 0.1, .then = after_loss::go_on}, .outages = down(then)},
                       exchange, heavy, valley, ten_rounds);
    check_mixing(exchange, law, {.outages = down(then)});
  }
}

}  // namespace gossip::test

// The type that holds any exchange is no part of the laws.
TEST_CASE("an exchange whose type the simulator knows keeps the laws of bits", "[exchange]") {
  using namespace gossip;
  using namespace gossip::test;
  for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine})
    check_bits<float>({.keeps_states = true}, d_psgd<>{.order = order}, optimizers().back(),
                      wide_classifier{}, six_rounds, split(tiny_images(), iid{}));
}
