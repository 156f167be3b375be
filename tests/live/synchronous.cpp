// Live all-reduce and D-PSGD have the bits of the simulator's.
#include <gossip/backend/serial.hpp>
#include <gossip/live/run.hpp>

#include <cstring>

#include "catch.hpp"
#include "live/learners.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

constexpr std::size_t batch = 20;
constexpr std::uint64_t rounds_run = 12;

template <class Model, class Optimizer>
auto parts_of(typed_model<Model, float, cpu> const &model, Optimizer const &optimizer, bool waits,
              partition const &shares, std::size_t rank) {
  return live::learner<float>::parts{host_machine<float>(cpu{.threads = 1}),
                                     model,
                                     arithmetic<float>(optimizer, waits, Model::parameters),
                                     {&live_images(), &shares},
                                     7,
                                     batch,
                                     row_length<Model>,
                                     static_cast<node>(rank)};
}

live::settings settings_of(std::size_t ranks, double rate) {
  live::settings s;
  s.seed = 7;
  s.iterations = rounds_run * ranks;
  s.rate = [rate](std::uint64_t) { return rate; };
  return s;
}

/// The digest of the rows as report.digest has it.
std::uint64_t digest_of(std::vector<std::vector<float>> const &rows) {
  fleet<float, host_buffer> all({rows.size(), rows[0].size(), 0, false});
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::ranges::copy(rows[r], all.parameters(static_cast<node>(r)));
  return digest(all, serial{});
}

template <class Model, class Topology, class Optimizer>
std::uint64_t simulated(Topology topology, Optimizer optimizer, any_exchange const &exchange) {
  simulator network{topology, Model{}, optimizer, exchange, cpu{.threads = 1}};
  return network
      .run({.seed = 7, .batch = batch, .stop = rounds{rounds_run}}, split(live_images(), iid{}))
      .digest;
}

template <class Model, class Optimizer>
void check_d_psgd(Optimizer const &optimizer, std::size_t n) {
  CAPTURE(n);
  typed_model<Model, float, cpu> const model(Model{});
  graph const g = ring{n}.build();
  mixing_matrix const w = metropolis_hastings{}.weights(g);
  partition const shares = split(live_images(), iid{}).assign(n, 7);
  auto const s = settings_of(n, optimizer.rate);
  live::memory_network network(n, std::chrono::microseconds(300));
  auto const outcome = run_live<live::learner<float>>(
      network, [&](std::size_t r) { return parts_of(model, optimizer, true, shares, r); },
      [&](auto &channel, auto &learner) { live::run_d_psgd(channel, learner, w, s); });
  CHECK(digest_of(outcome.rows) == simulated<Model>(ring{n}, optimizer, d_psgd<>{}));
  for (auto const &f : outcome.metrics) {
    CHECK(f.iterations == rounds_run);
    CHECK(f.staleness[n > 1 ? 1 : 0] == rounds_run);
  }
}

template <class Model, class Optimizer>
void check_all_reduce(Optimizer const &optimizer, std::size_t n) {
  CAPTURE(n);
  typed_model<Model, float, cpu> const model(Model{});
  partition const shares = split(live_images(), iid{}).assign(n, 7);
  auto const s = settings_of(n, optimizer.rate);
  live::memory_network network(n, std::chrono::microseconds(300));
  auto const outcome = run_live<live::learner<float>>(
      network, [&](std::size_t r) { return parts_of(model, optimizer, false, shares, r); },
      [&](auto &channel, auto &learner) { live::run_all_reduce(channel, learner, s); });
  for (auto const &row : outcome.rows)
    CHECK(std::memcmp(row.data(), outcome.rows[0].data(), row.size() * sizeof(float)) == 0);
  CHECK(digest_of(outcome.rows) == simulated<Model>(ring{n}, optimizer, all_reduce{}));
  for (auto const &f : outcome.metrics) CHECK(f.staleness[0] == rounds_run);
}

}  // namespace

TEST_CASE("live d_psgd has the bits of the simulator's", "[live]") {
  for (std::size_t const n : {1, 2, 3, 5}) {
    check_d_psgd<live_model>(sgd{.rate = 0.05}, n);
    check_d_psgd<live_model>(sgd{.rate = 0.05, .momentum = 0.9, .weight_decay = 1e-3}, n);
    check_d_psgd<live_model>(adamw{.rate = 0.002}, n);
  }
}

TEST_CASE("statistics of batch normalisation take part in live mixing", "[live]") {
  using model = sequential<input<1, 8, 8>, conv2d<3, 3>, batch_norm, relu, dense<4>>;
  check_d_psgd<model>(sgd{.rate = 0.05, .momentum = 0.9}, 3);
  check_all_reduce<model>(sgd{.rate = 0.05, .momentum = 0.9}, 3);
}

TEST_CASE("live all_reduce keeps replicas identical, with the bits of the simulator's", "[live]") {
  for (std::size_t const n : {1, 2, 3, 5}) {
    check_all_reduce<live_model>(sgd{.rate = 0.05}, n);
    check_all_reduce<live_model>(sgd{.rate = 0.05, .momentum = 0.9, .nesterov = true}, n);
    check_all_reduce<live_model>(adam{.rate = 0.002}, n);
  }
}

TEST_CASE("more learners than numbers in a model take their mean too", "[live]") {
  constexpr std::size_t n = 5;
  typed_model<quadratic<3>, double, cpu> const model({.optimum = {1, 2, 3, 4, 5}});
  using learner_type = live::learner<double>;
  live::settings s = settings_of(n, 0.5);
  s.iterations = 200 * n;
  live::memory_network network(n);
  auto const outcome = run_live<learner_type>(
      network,
      [&](std::size_t r) {
        return learner_type::parts{host_machine<double>(cpu{.threads = 1}),
                                   model,
                                   arithmetic<double>(sgd{.rate = 0.5}, false),
                                   {},
                                   7,
                                   1,
                                   3,
                                   static_cast<node>(r)};
      },
      [&](auto &channel, auto &learner) { live::run_all_reduce(channel, learner, s); });
  for (auto const &row : outcome.rows)
    for (double const x : row) CHECK(x == Approx(3.0).epsilon(1e-12));
}

TEST_CASE("a gradient that is no number ends the live run of all", "[live]") {
  constexpr std::size_t n = 3;
  typed_model<quadratic<3>, float, cpu> const model({.curvature = {1e9}, .optimum = {1}});
  using learner_type = live::learner<float>;
  mixing_matrix const w = metropolis_hastings{}.weights(ring{n}.build());
  live::settings s = settings_of(n, 1.0);
  s.iterations = 100 * n;
  live::memory_network network(n);
  auto const run = [&] {
    run_live<learner_type>(
        network,
        [&](std::size_t r) {
          return learner_type::parts{host_machine<float>(cpu{.threads = 1}),
                                     model,
                                     arithmetic<float>(sgd{.rate = 1}, true),
                                     {},
                                     7,
                                     1,
                                     3,
                                     static_cast<node>(r)};
        },
        [&](auto &channel, auto &learner) { live::run_d_psgd(channel, learner, w, s); });
  };
  CHECK_THROWS_WITH(run(), contains("the loss is"));
}

TEST_CASE("live d_psgd refuses the orders in which models cannot travel during the gradient",
          "[live]") {
  graph const g = ring{4}.build();
  live::options const o{};
  live::check(o, g, d_psgd{});
  CHECK_THROWS_WITH(live::check(o, g, d_psgd{.order = mixing_order::adapt_then_combine}),
                    "live d_psgd: order: expected combine_then_adapt, got adapt_then_combine");
  CHECK_THROWS_WITH(live::check(o, g, d_psgd{.point = gradient_point::mixed}),
                    "live d_psgd: point: expected own, got mixed");
}

TEST_CASE("live d_psgd refuses weights that lose the mean of the network", "[live]") {
  typed_model<quadratic<3>, float, cpu> const model(quadratic<3>{});
  using learner_type = live::learner<float>;
  mixing_matrix const w = uniform_neighbor{}.weights(star{3}.build());
  live::settings const s = settings_of(3, 0.1);
  live::memory_network network(3);
  auto const run = [&] {
    run_live<learner_type>(
        network,
        [&](std::size_t r) {
          return learner_type::parts{host_machine<float>(cpu{.threads = 1}),
                                     model,
                                     arithmetic<float>(sgd{}, true),
                                     {},
                                     7,
                                     1,
                                     3,
                                     static_cast<node>(r)};
        },
        [&](auto &channel, auto &learner) { live::run_d_psgd(channel, learner, w, s); });
  };
  CHECK_THROWS_WITH(run(), contains("doubly stochastic"));
}
