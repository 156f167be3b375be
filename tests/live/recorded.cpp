// Recorded times of live learners add up to the time of the run.
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "live/learners.hpp"

using namespace gossip;
using namespace gossip::test;
using namespace std::chrono_literals;

namespace {
namespace recorded_times {

constexpr std::size_t d = 5;
using model_type = typed_model<quadratic<d>, double, cpu>;
using learner_type = live::learner<double>;

struct results {
  std::vector<live::metrics> metrics;
  std::vector<live::learner_record> records;
};

/// Learners that sleep 4 ms a gradient, the first one three times as long.
template <class Body>
results run(std::size_t n, bool waits, Body body) {
  model_type const model(quadratic<d>{});
  live::memory_network network(n, 200us);
  results all;
  all.metrics =
      run_live<learner_type>(
          network,
          [&](std::size_t r) {
            return learner_type::parts{host_machine<double>(cpu{.threads = 1}),
                                       model,
                                       arithmetic<double>(sgd{.rate = 0.0}, waits),
                                       {},
                                       7,
                                       1,
                                       d,
                                       static_cast<node>(r),
                                       {.factor = r == 0 ? 3.0 : 1.0,
                                        .simulated = lognormal_time{.mean = 4ms, .cv = 0.0}}};
          },
          [&](auto &channel, auto &learner) {
            live::settings s;
            s.iterations = 20 * n;
            learner.recorded().keep();
            body(channel, learner, s);
            auto gathered = live::gather_records(channel, learner.recorded().kept(), s);
            if (channel.rank() == 0) all.records = std::move(gathered);
          })
          .metrics;
  return all;
}

void check(results const &all, bool rounds) {
  REQUIRE(all.records.size() == all.metrics.size());
  for (std::size_t r = 0; r < all.records.size(); ++r) {
    CAPTURE(r);
    live::metrics const &f = all.metrics[r];
    auto const &[iterations, exchanges] = all.records[r];
    CHECK(iterations.size() == f.iterations);
    double working = 0, waiting = 0;
    for (live::iteration_record const &one : iterations) {
      CHECK(one.working_ns >= (r == 0 ? 12'000'000 : 4'000'000));  // no sleep is too short
      CHECK(one.waiting_ns >= 0);
      working += static_cast<double>(one.working_ns) * 1e-9;
      waiting += static_cast<double>(one.waiting_ns) * 1e-9;
    }
    CHECK(waiting == Approx(f.waiting_seconds).epsilon(1e-6));
    CHECK(working >= f.computing_seconds);
    CHECK(working + waiting <= f.seconds);
    // Asynchronous learners leave a gradient behind.
    CHECK(working + waiting > (rounds ? 0.95 : 0.5) * f.seconds);
    std::int64_t before = 0;
    for (live::exchange_record const &e : exchanges) {
      CHECK(e.begin_ns >= before);
      CHECK(e.end_ns > e.begin_ns);
      CHECK(e.bytes > 0);
      before = rounds ? e.end_ns : e.begin_ns;
    }
  }
}

}  // namespace recorded_times
}  // namespace

TEST_CASE("the records of live rounds add up", "[live]") {
  graph const g = ring{3}.build();
  auto const mixed = recorded_times::run(3, true, [&](auto &channel, auto &learner, auto const &s) {
    live::run_d_psgd(channel, learner, metropolis_hastings{}.weights(g), s);
  });
  auto const summed =
      recorded_times::run(3, false, [&](auto &channel, auto &learner, auto const &s) {
        live::run_all_reduce(channel, learner, s);
      });
  for (auto const *all : {&mixed, &summed}) {
    recorded_times::check(*all, true);
    for (std::size_t r = 0; r < 3; ++r) CHECK(all->records[r].exchanges.size() == 20);
    for (std::uint32_t k = 0; k < 20; ++k) CHECK(all->records[1].exchanges[k].number == k);
    // Who is three times as quick waits two thirds of the time for the other.
    CHECK(all->metrics[1].waiting_seconds > 0.5 * all->metrics[1].seconds);
    CHECK(all->metrics[0].waiting_seconds < 0.3 * all->metrics[0].seconds);
  }
  // Where models travel beside gradients, what is still to wait for is the neighbour that is late.
  CHECK(mixed.records[0].exchanges[3].bytes == 2 * recorded_times::d * sizeof(double));
}

TEST_CASE("the records of live averages add up, and nobody waits", "[live]") {
  graph const g = ring{4}.build();
  auto const all = recorded_times::run(4, true, [&](auto &channel, auto &learner, auto const &s) {
    live::run_ad_psgd(channel, learner, g, s);
  });
  recorded_times::check(all, false);
  auto const active = live::active_side(g);
  for (std::size_t r = 0; r < 4; ++r) {
    auto const &exchanges = all.records[r].exchanges;
    CHECK(exchanges.size() == (active[r] ? all.metrics[r].exchanges : 0));  // of those that ask
    for (live::exchange_record const &e : exchanges)
      CHECK(g.has_edge(e.partner, static_cast<node>(r)));
    CHECK(all.metrics[r].waiting_seconds < 0.4 * all.metrics[r].seconds);
  }
}

TEST_CASE("without being asked a learner keeps no records, and waits are counted all the same",
          "[live]") {
  live::recording quiet;
  quiet.start();
  quiet.begin();
  quiet.ready();
  quiet.resume();
  quiet.applied();
  quiet.exchanged(1, 0, live::recording::clock::now(), 8);
  quiet.finish();
  CHECK(quiet.kept().iterations.empty());
  CHECK(quiet.kept().exchanges.empty());
  CHECK(quiet.waiting_seconds() >= 0);
}
