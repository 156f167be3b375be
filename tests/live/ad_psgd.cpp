// Live AD-PSGD: it ends, keeps the sum of the models, and does not wait for the slow.
#include <gossip/live/termination.hpp>

#include <algorithm>
#include <cmath>
#include <deque>

#include "catch.hpp"
#include "live/learners.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

constexpr std::size_t d = 5;
using model_type = typed_model<quadratic<d>, double, cpu>;
using learner_type = live::learner<double>;

learner_type::parts parts_of(model_type const &model, double rate, std::size_t rank,
                             live::pace speed = {}) {
  return {host_machine<double>(cpu{.threads = 1}),
          model,
          arithmetic<double>(sgd{.rate = rate}, true),
          {},
          7,
          1,
          d,
          static_cast<node>(rank),
          speed};
}

live::settings settings_of(std::uint64_t iterations, double rate) {
  live::settings s;
  s.seed = 7;
  s.iterations = iterations;
  s.rate = [rate](std::uint64_t) { return rate; };
  return s;
}

/// The initial parameters of every learner in tests of conservation.
double start_of(std::size_t rank, std::size_t c) {
  return keyed_random(3, purpose::user, static_cast<std::uint32_t>(rank), c).uniform() - 0.3;
}

void check_conservation(graph const &g, std::uint64_t exchanges,
                        std::chrono::nanoseconds longest_delay) {
  std::size_t const n = g.nodes();
  CAPTURE(n);
  model_type const model(quadratic<d>{});
  auto s = settings_of(std::uint64_t{1} << 60, 0.0);
  s.exchanges = exchanges;
  s.patience = std::chrono::microseconds(1);
  live::memory_network network(n, longest_delay);
  auto const outcome = run_live<learner_type>(
      network, [&](std::size_t r) { return parts_of(model, 0.0, r); },
      [&](auto &channel, auto &learner) {
        for (std::size_t c = 0; c < d; ++c) learner.row()[c] = start_of(channel.rank(), c);
        live::run_ad_psgd(channel, learner, g, s);
      });
  live::totals const all{outcome.metrics};
  CHECK(all.exchanges % 2 == 0);  // every average had two learners
  CHECK(all.exchanges / 2 >= exchanges);
  CHECK(all.sum_error < 1e-12);
  for (std::size_t c = 0; c < d; ++c) {
    double before = 0, after = 0, least = 1, most = -1;
    for (std::size_t r = 0; r < n; ++r) {
      before += start_of(r, c);
      after += outcome.rows[r][c];
      least = std::min(least, outcome.rows[r][c]);
      most = std::max(most, outcome.rows[r][c]);
    }
    // An average rounds once, by at most 2^-53 of a number below 1, on both sides.
    double const bound = std::ldexp(1.0, -52) * static_cast<double>(all.exchanges / 2 + n);
    CHECK(std::abs(after - before) <= bound);
    CHECK(most - least < 1e-3);  // consensus: it was the models that were averaged
  }
}

}  // namespace

TEST_CASE("live ad_psgd ends after thousands of delayed averages and keeps the sum", "[live]") {
  auto const delay = std::chrono::microseconds(50);
  check_conservation(chain{2}.build(), 2000, delay);
  check_conservation(chain{3}.build(), 2000, delay);
  check_conservation(ring{4}.build(), 2000, delay);
  check_conservation(ring{8}.build(), 2000, delay);
  check_conservation(star{5}.build(), 2000, delay);
}

TEST_CASE("live ad_psgd ends on any bipartite graph, connected or not", "[live]") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    graph const g = live::made_bipartite(
        erdos_renyi{.nodes = 7, .probability = 0.3, .allow_disconnected = true}.build(seed));
    CAPTURE(seed, g.edges());
    model_type const model(quadratic<d>{.optimum = {1, -1}});
    auto s = settings_of(700, 0.1);
    s.seed = seed;
    live::memory_network network(7, std::chrono::microseconds(200), seed);
    auto const outcome = run_live<learner_type>(
        network, [&](std::size_t r) { return parts_of(model, 0.1, r); },
        [&](auto &channel, auto &learner) { live::run_ad_psgd(channel, learner, g, s); });
    live::totals const all{outcome.metrics};
    CHECK(all.iterations >= 700);
    CHECK(all.sum_error < 1e-12);
    std::vector<bool> const active = live::active_side(g);
    for (std::size_t r = 0; r < 7; ++r) {
      live::metrics const &f = outcome.metrics[r];
      if (g.degree(r) == 0)
        CHECK(f.exchanges == 0);
      else if (active[r])  // an average for each gradient, and perhaps one for one that was given
                           // up
        CHECK((f.exchanges == f.iterations || f.exchanges == f.iterations + 1));
    }
  }
}

TEST_CASE("a live learner alone learns", "[live]") {
  model_type const model(quadratic<d>{.optimum = {2.0}});
  auto const s = settings_of(100, 0.5);
  live::memory_network network(1);
  auto const outcome = run_live<learner_type>(
      network, [&](std::size_t r) { return parts_of(model, 0.5, r); },
      [&](auto &channel, auto &learner) {
        live::run_ad_psgd(channel, learner, graph::undirected(1, {}), s);
      });
  CHECK(outcome.metrics[0].iterations == 100);
  CHECK(outcome.metrics[0].exchanges == 0);
  CHECK(outcome.metrics[0].staleness[0] == 100);
  for (double const x : outcome.rows[0]) CHECK(x == Approx(2.0));
}

TEST_CASE("live ad_psgd pulls learners together, and steps account for the sum of the models",
          "[live]") {
  std::size_t const n = 4;
  model_type const model(quadratic<d>{.optimum = {1, 2, 3, 6}});
  auto const s = settings_of(4000, 0.02);
  live::memory_network network(n, std::chrono::microseconds(100));
  auto const outcome = run_live<learner_type>(
      network, [&](std::size_t r) { return parts_of(model, 0.02, r); },
      [&](auto &channel, auto &learner) {
        live::run_ad_psgd(channel, learner, ring{4}.build(), s);
      });
  live::totals const all{outcome.metrics};
  CHECK(all.iterations >= 4000);
  CHECK(all.sum_error < 1e-12);
  // Learners differ in speed as threads do, so the optimum that they weigh out is not known; alone
  // each would be at its own.
  for (std::size_t r = 0; r < n; ++r)
    for (double const x : outcome.rows[r]) {
      CHECK(x > 1.2);
      CHECK(x < 5.5);
    }
}

TEST_CASE("a slow learner slows d_psgd down and not ad_psgd", "[live]") {
  std::size_t const n = 4;
  auto const normal = std::chrono::milliseconds(4);
  constexpr double factor = 8;
  constexpr std::uint64_t rounds_run = 15;
  model_type const model(quadratic<d>{});
  graph const g = ring{n}.build();
  auto const s = settings_of(rounds_run * n, 0.0);
  auto const run = [&](auto body) {
    live::memory_network network(n);
    return run_live<learner_type>(
        network,
        [&](std::size_t r) {
          return parts_of(model, 0.0, r,
                          {.factor = r == 0 ? factor : 1.0,
                           .simulated = lognormal_time{.mean = normal, .cv = 0.0}});
        },
        body);
  };
  auto const synchronous = run([&](auto &channel, auto &learner) {
    live::run_d_psgd(channel, learner, metropolis_hastings{}.weights(g), s);
  });
  auto const asynchronous =
      run([&](auto &channel, auto &learner) { live::run_ad_psgd(channel, learner, g, s); });

  double const slow = rounds_run * factor * std::chrono::duration<double>(normal).count();
  CHECK(live::totals(synchronous.metrics).seconds >= 0.99 * slow);  // a sleep is never too short
  CHECK(live::totals(asynchronous.metrics).seconds < slow);
  auto const &f = asynchronous.metrics;
  CHECK(f[0].iterations * 2 < f[2].iterations);
  CHECK(f[0].staleness.mean() > 2 * f[2].staleness.mean());  // the same side, the same partners
}

TEST_CASE("models travel while live gradients are computed", "[live]") {
  std::size_t const n = 4;
  auto const gradient = std::chrono::milliseconds(60);
  constexpr std::uint64_t rounds_run = 6;
  model_type const model(quadratic<d>{});
  graph const g = ring{n}.build();
  auto const s = settings_of(rounds_run * n, 0.0);
  auto const run = [&](auto body) {
    // A message takes half of a gradient's time in the mean, the later of two 40 ms.
    live::memory_network network(n, gradient);
    auto const outcome = run_live<learner_type>(
        network,
        [&](std::size_t r) {
          return parts_of(model, 0.0, r,
                          {.simulated = lognormal_time{.mean = gradient, .cv = 0.0}});
        },
        body);
    return live::totals(outcome.metrics).seconds;
  };
  double const computing = rounds_run * std::chrono::duration<double>(gradient).count();
  double const overlapped = run([&](auto &channel, auto &learner) {
    live::run_d_psgd(channel, learner, metropolis_hastings{}.weights(g), s);
  });
  CHECK(overlapped >= computing);
  CHECK(overlapped < 1.4 * computing);  // one after the other: 1.67
  double const reduced =
      run([&](auto &channel, auto &learner) { live::run_all_reduce(channel, learner, s); });
  CHECK(reduced > 1.6 * computing);  // the mean begins when the last gradient is there
}

TEST_CASE("live ad_psgd wants a bipartite graph", "[live]") {
  CHECK_THROWS_WITH(live::active_side(ring{5}.build()),
                    "live ad_psgd: expected a bipartite graph, such as a chain or an even ring, "
                    "got a graph with an odd cycle through the edge of 2 and 3");
  CHECK_THROWS_WITH(live::active_side(graph::directed(2, {{0, 1}})), contains("directed"));
  CHECK_THROWS_WITH(live::active_side(complete{3}.build()), contains("odd cycle"));
  CHECK(live::active_side(ring{4}.build()) == std::vector<bool>{false, true, false, true});
  CHECK(live::active_side(star{4}.build()) == std::vector<bool>{false, true, true, true});
  CHECK(live::active_side(graph::undirected(4, {{1, 0}, {2, 3}})) ==
        std::vector<bool>{false, true, false, true});
}

TEST_CASE("a graph is made bipartite and stays connected", "[live]") {
  for (graph const &g :
       {ring{5}.build(), complete{6}.build(), random_regular{.nodes = 20, .degree = 5}.build(1)}) {
    graph const cut = live::made_bipartite(g);
    CHECK_NOTHROW(live::active_side(cut));
    CHECK(describe(cut).components == 1);
    for (edge const e : cut.edge_list()) CHECK(g.has_edge(e.from, e.to));
  }
  CHECK(live::made_bipartite(ring{6}.build()) == ring{6}.build());
  CHECK(live::made_bipartite(ring{5}.build()).edges() == 4);
}

TEST_CASE("a graph of another size than the ranks is refused", "[live]") {
  model_type const model(quadratic<d>{});
  auto const s = settings_of(10, 0.1);
  live::memory_network network(3);
  auto const run = [&] {
    run_live<learner_type>(
        network, [&](std::size_t r) { return parts_of(model, 0.1, r); },
        [&](auto &channel, auto &learner) {
          live::run_ad_psgd(channel, learner, ring{4}.build(), s);
        });
  };
  CHECK_THROWS_WITH(run(), "live ad_psgd: expected a graph of 3 nodes, got 4");
}

namespace {

/// A channel that keeps all ones in the bytes of a receive until it is complete: they may hold
/// anything until then.
struct scribbling_channel : live::memory_channel {
  class requests : public live::memory_requests {
   public:
    explicit requests(live::memory_requests const &inner) : memory_requests(inner) {}

    void receive(std::size_t from, std::uint32_t tag, std::span<std::byte> bytes,
                 std::uint32_t ticket = 0) {
      std::ranges::fill(bytes, std::byte{0xff});
      receives_.push_back({bytes, std::vector<std::byte>(bytes.size()), ticket});
      auto const number = static_cast<std::uint32_t>(receives_.size());
      memory_requests::receive(from, tag, receives_.back().arriving, number);
    }
    template <class F>
    bool poll(F f) {
      return memory_requests::poll([&](std::uint32_t number) {
        if (number == 0) return f(0U);  // a send, whose ticket nobody asks for
        auto const &[to, arriving, ticket] = receives_[number - 1];
        std::ranges::copy(arriving, to.begin());
        f(ticket);
      });
    }

   private:
    struct one {
      std::span<std::byte> to;
      std::vector<std::byte> arriving;
      std::uint32_t ticket;
    };
    std::deque<one> receives_;
  };

  using live::memory_channel::memory_channel;
  requests rows() const { return requests(memory_channel::rows()); }
};
static_assert(live::channel<scribbling_channel>);

}  // namespace

TEST_CASE("what is still arriving is not counted towards the end of a run", "[live]") {
  live::memory_network network(3);
  std::vector<scribbling_channel> channels;
  for (std::size_t r = 0; r < 3; ++r) channels.emplace_back(network, r);
  graph const g = star{3}.build(1);
  live::settings s;
  s.iterations = 12;
  std::deque<live::termination<scribbling_channel>> ends;
  for (std::size_t r = 0; r < 3; ++r) ends.emplace_back(channels[r], g.neighbors(r), r == 0, s);
  live::metrics counted[3];
  std::uint64_t rounds = 0;
  for (; !ends[0].stopped() && rounds < 100; ++rounds) {
    for (std::size_t r = 0; r < 3; ++r) ++counted[r].iterations;
    for (int k = 0; k < 20; ++k)
      for (std::size_t r = 0; r < 3; ++r) ends[r].advance(counted[r], false);
  }
  CHECK(rounds == 4);
  for (int k = 0; k < 100; ++k)
    for (std::size_t r = 0; r < 3; ++r) ends[r].advance(counted[r], false);
  for (std::size_t r = 0; r < 3; ++r) CHECK(ends[r].over());
}
