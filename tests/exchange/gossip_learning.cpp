// Gossip learning: the laws, SGD of one node, and two nodes by a plain list of events.
#include <gossip/exchange/gossip_learning.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/plan/node_chance.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::gossip_learning;
using gossip::merge_weights;
using gossip::model_creation;
using gossip::ring;
using gossip::virtual_time;

namespace {

constexpr double targets[] = {3, -5}, learning_rate = 0.2;
constexpr virtual_time period{100'000'000}, training{10'000'000};

double updated(std::size_t i, double x) {
  return x - learning_rate * (x - targets[i]);
}

/// The models of two nodes of one column after so many updates; every happening is a function with
/// the time at which it happens. Nothing is received during an update, as it is shorter than a
/// period; models are sent in no time.
std::vector<double> by_hand(gossip_learning const &how, int updates) {
  struct model {
    double x = 0;
    double age = 0;
  };
  model now[2], last[2];
  std::multimap<std::int64_t, std::function<void()>> happens;
  auto const merged = [&](model a, model b) {
    bool const by_age = how.merging == merge_weights::age && a.age + b.age > 0;
    double const share = by_age ? a.age / (a.age + b.age) : 0.5;
    return model{share * a.x + (1 - share) * b.x, std::max(a.age, b.age)};
  };
  auto const update = [&](std::size_t i, model m) { return model{updated(i, m.x), m.age + 1}; };
  for (std::size_t i : {0, 1}) {
    auto at =
        static_cast<std::int64_t>(gossip::detail::draw_uniform(1, static_cast<gossip::node>(i), 0) *
                                  static_cast<double>(period.count()));
    for (int k = 0; k < 2 * updates; ++k, at += period.count())
      happens.emplace(at, [&, i, at] {
        std::size_t const j = 1 - i;
        model const m = now[i], before = last[j];
        auto const then = [&, j](std::int64_t when, model result, bool counts) {
          happens.emplace(when, [&, j, result, counts] {
            if (updates == 0) return;
            now[j] = result;
            updates -= counts;
          });
        };
        std::int64_t const end = at + training.count();
        last[j] = m;
        if (how.creation == model_creation::random_walk) then(end, update(j, m), true);
        if (how.creation == model_creation::merge_update)
          then(end, update(j, merged(m, before)), true);
        if (how.creation == model_creation::update_merge) {
          then(end, update(j, m), true);
          then(end + training.count(), merged(update(j, m), update(j, before)), true);
        }
      });
  }
  while (updates > 0) {
    auto const first = happens.begin()->second;
    happens.erase(happens.begin());
    first();
  }
  return {now[0].x, now[1].x};
}

}  // namespace

TEST_CASE("gossip learning keeps the laws of exchanges", "[exchange]") {
  for (auto const creation :
       {model_creation::random_walk, model_creation::merge_update, model_creation::update_merge})
    check_exchange(gossip_learning{virtual_time(15'000'000), creation},
                   {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("gossip learning keeps the laws of exchanges where messages are lost or nodes down",
          "[exchange]") {
  check_kind(gossip_learning{virtual_time(15'000'000)},
             {.outages = down(gossip::after_outage::go_on)});
  check_with_outages(gossip_learning{virtual_time(15'000'000)},
                     {.keeps_mean = false, .reaches_mean = false});
  check_with_loss(gossip_learning{virtual_time(15'000'000)},
                  {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("gossip learning of one node is SGD", "[exchange]") {
  gossip_learning const walk{.creation = model_creation::random_walk};
  CHECK(settled(ring{1}, walk, 30).rows == settled(ring{1}, gossip::none{}, 30).rows);
}

TEST_CASE("gossip learning of two nodes is that of a list of events", "[exchange]") {
  for (auto const creation :
       {model_creation::random_walk, model_creation::merge_update, model_creation::update_merge})
    for (auto const merging : {merge_weights::equal, merge_weights::age})
      for (int const count : {1, 2, 3, 8, 20}) {
        CAPTURE(static_cast<int>(creation), static_cast<int>(merging), count);
        gossip_learning const exchange{period, creation, merging};
        gossip::virtual_clock clock{.compute = gossip::constant_time{.mean = training}};
        clock.network = {.latency = virtual_time(0), .bandwidth = 1e15};
        small_network network{
            ring{2}, gossip::quadratic<1>{.curvature = {1.0}, .optimum = {targets[0], targets[1]}},
            gossip::sgd{.rate = learning_rate}, some_exchange{exchange}, clock};
        auto const found = watched(
            network, {.stop = gossip::rounds{static_cast<std::uint64_t>(count)}}, at_the_end);
        auto const expected = by_hand(exchange, 2 * count);
        for (std::size_t i = 0; i < 2; ++i)
          CHECK(found.seen.back().rows[i][0] == Approx(expected[i]).epsilon(1e-13));
      }
}

// Of models received during an update the last is kept: trainings follow each other.
TEST_CASE("gossip learning is busy where models come faster than updates", "[exchange]") {
  gossip::virtual_clock const clock{.compute = gossip::constant_time{.mean = training}};
  auto network = on_clock(clock, gossip::complete{8}, alternating_valleys(), 0.1,
                          gossip_learning{virtual_time(2'000'000)});
  auto const run = watched(network, {.stop = gossip::rounds{50}}, at_the_end);
  CHECK(run.report.virtual_seconds == Approx(0.5).epsilon(0.05));
  CHECK(run.report.bytes_sent > 1900 * sizeof(double));
}

TEST_CASE("gossip learning refuses a period of nothing", "[exchange]") {
  CHECK_THROWS_WITH(
      settled(ring{8}, gossip_learning{.period = virtual_time(0)}, 1),
      contains("gossip_learning: period: expected a time of at least 1 ns, got 0 ns"));
}
