// The suite of conformance.hpp, compiled once for all exchanges: engines of every kind of model.
#include "conformance.hpp"

#include <gossip/exchange/d_psgd.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace gossip::test {

namespace {

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

/// The nodes of the smallest network whose states are kept, which takes half of the time; the
/// messages that are lost, the nodes that take part in rounds, and those that are down.
struct conditions {
  std::size_t resumed_from;
  message_loss loss{};
  gossip::participation participation{};
  gossip::outages outages{};
};

/// Laws 1, 2 and 8: the bits of a run do not depend on the engine, on threads, nor on observers,
/// nor on whether another run's engine went on with the state at a window's end.
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
          some_topology{fan{n}}, model,     optimizer, exchange, cpu{.threads = threads},
          numbers<T, Row>{},     precision, clock};
      settings.engine = engine;
      settings.state = from;
      return watched(network, settings, how, data...);
    };
    CAPTURE(n, optimizer.kind.index());
    bool const resumes = n >= in.resumed_from;
    auto const expected = run(1, execution::reference, {at_the_end, resumes});
    std::uint64_t const wanted = std::get<rounds>(settings.stop).count * n;
    std::uint64_t const round = of.rounds.trainings(n),
                        whole = (wanted + round - 1) / round * round;
    std::uint64_t const beyond = of.in_rounds ? round - 1 : 0;  // where some are absent
    CHECK(expected.report.node_iterations >= whole);
    CHECK(expected.report.node_iterations <= whole + beyond);
    auto const levelled = run(2, execution::levelled, {at_the_end, resumes});
    check_same(expected, levelled);
    check_states(expected, levelled, [&](execution engine, named_state const &from) {
      return run(2, engine, at_the_end, &from);
    });
    if (n < 17) continue;
    check_same(expected, run(1, execution::levelled, at_the_end));
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
  constexpr std::size_t d = 3;
  constexpr std::uint64_t seed = 5;
  for (std::size_t const n : std::array<std::size_t, 4>{1, 2, 3, 17}) {
    scattered<d> const model{.drift = 0x1p-10};
    simulator network{some_topology{fan{n}},
                      model,
                      sgd{.rate = 1.0, .momentum = law.momentum},
                      exchange,
                      numbers<double>{},
                      cpu{.threads = 1},
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
    if (law.reaches_mean) CHECK(run.seen.back().distance() < 1e-4);
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
                      scattered<3>{.drift = 0x1p-10},
                      sgd{.rate = 1.0, .momentum = law.momentum},
                      exchange,
                      numbers<double>{},
                      cpu{.threads = 1}};
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

}  // namespace

void check_exchange(some_exchange const &exchange, mixing_law law) {
  quadratic<7> const valley{
      .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
  quadratic<4099> const wide{.curvature = valley.curvature, .optimum = valley.optimum};  // 3 tiles
  check_bits<float>({1}, exchange, {sgd{.rate = 0.1, .momentum = 0.9, .nesterov = true}}, wide,
                    ten_rounds);
  auto const fits = [&](some_optimizer const &o) {
    return o.rows(exchange.outline().gradient_waits) >= law.optimizer_rows;
  };
  for (some_optimizer const &optimizer : optimizers()) {
    if (!fits(optimizer)) continue;
    check_bits<double>({17}, exchange, optimizer, valley, six_rounds);
    check_bits<float>({17}, exchange, optimizer, tiny_classifier{}, six_rounds,
                      split(tiny_images(), iid{}));
  }
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}}, plain{sgd{.rate = 0.1}};
  run_settings chunks = six_rounds;
  bool const of_servers = exchange.outline().evaluated == evaluated_models::servers;
  struct kept_by {
    statistics_mode mode;
    some_optimizer optimizer;
    std::size_t batch;
  };
  for (auto const &[kept, optimizer, batch] :
       {kept_by{statistics_mode::mixed, heavy, 130},  // three chunks
        {statistics_mode::own, plain, 70},            // two
        {statistics_mode::mixed, {adam{}}, 70}}) {
    if (!fits(optimizer) || (of_servers && kept == statistics_mode::own)) continue;
    chunks.statistics = kept;
    chunks.batch = batch;
    check_bits<float>({17}, exchange, optimizer, normalised_classifier{}, chunks,
                      split(tiny_images(), iid{}));
  }
  chunks.stop = ten_rounds.stop;
  if (exchange.outline().rows == 0)  // others refuse gradients that may overflow
    check_bits<float, float, mixed_precision<fp16>>({17}, exchange, heavy, normalised_classifier{},
                                                    chunks, split(tiny_images(), iid{}));
  check_bits<float, bf16, mixed_precision<bf16>>({17}, exchange, {adam{}}, normalised_classifier{},
                                                 chunks, split(tiny_images(), iid{}));
  check_mixing(exchange, law);
  check_changing_network(exchange, law);
}

void check_with_loss(some_exchange const &exchange, mixing_law law, after_loss then) {
  message_loss const bursts{.share = 0.2,
                            .burst_begins = 0.1,
                            .burst_ends = 0.5,
                            .then = then,
                            .timeout = virtual_time(3'000'000)};
  quadratic<4099> const wide{.curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}};
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  check_bits<float>({1, bursts}, exchange, heavy, wide, ten_rounds);
  check_bits<float>({17, bursts}, exchange, heavy, normalised_classifier{}, six_rounds,
                    split(tiny_images(), iid{}));
  check_mixing(exchange, law, {.loss = bursts});
}

void check_with_absence(some_exchange const &exchange, mixing_law law) {
  participation const some{.scheme = participation_scheme::markov, .share = 0.6, .absence = 2};
  quadratic<4099> const wide{.curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}};
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  check_bits<float>({1, {}, some}, exchange, heavy, wide, ten_rounds);
  check_bits<float>({17, {.share = 0.1, .then = after_loss::go_on}, some}, exchange, heavy,
                    normalised_classifier{}, six_rounds, split(tiny_images(), iid{}));
  check_mixing(exchange, law, {.participation = some});
}

void check_with_outages(some_exchange const &exchange, mixing_law law) {
  outages some{
      .churn = {.up = std::chrono::milliseconds(80), .down = std::chrono::milliseconds(10)},
      .then = after_outage::go_on};
  outages patient = some;
  patient.then = after_outage::time_out;
  patient.timeout = std::chrono::milliseconds(4);
  quadratic<4099> const wide{.curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}};
  some_optimizer const heavy{sgd{.rate = 0.1, .momentum = 0.9}};
  check_bits<float>({1, {}, {}, some}, exchange, heavy, wide, ten_rounds);
  check_bits<float>({17, {.share = 0.1, .then = after_loss::go_on}, {}, patient}, exchange, heavy,
                    normalised_classifier{}, six_rounds, split(tiny_images(), iid{}));
  check_mixing(exchange, law, {.outages = some});
  check_mixing(exchange, law, {.outages = patient});
}

}  // namespace gossip::test

// The type that holds any exchange is no part of the laws.
TEST_CASE("an exchange whose type the simulator knows keeps the laws of bits", "[exchange]") {
  using namespace gossip;
  for (auto const order : {mixing_order::combine_then_adapt, mixing_order::adapt_then_combine})
    test::check_bits<float>({1}, d_psgd<>{.order = order}, test::optimizers().back(),
                            test::tiny_classifier{}, test::six_rounds,
                            split(test::tiny_images(), iid{}));
}
