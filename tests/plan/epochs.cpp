// Epochs in whole samples: nothing that is due at an epoch comes a round late.
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/optimizer/schedule.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/plan/epochs.hpp>
#include <gossip/plan/observation_cadences.hpp>
#include <gossip/simulator/settings.hpp>
#include <gossip/topology/ring.hpp>

#include <variant>
#include <vector>

#include "plans.hpp"

using namespace gossip::test;
using gossip::epoch_length;
using gossip::every_epochs;
using gossip::next_due;

namespace {

// The node-iterations at which observers are due, of a plan as long as these settings say.
constexpr std::uint64_t never = std::uint64_t{1} << 53;  // the end of a run

template <class Exchange>
std::vector<std::uint64_t> observed(Exchange const &exchange, std::size_t nodes,
                                    gossip::plan_settings const &settings) {
  std::vector<std::uint64_t> at;
  for (auto const &o : whole_plan_of(exchange, gossip::ring{nodes}.build(), settings).observations)
    at.push_back(o.mark.node_iterations);
  return at;
}

}  // namespace

TEST_CASE("what is due at an epoch comes at its last round", "[plan]") {
  // Seven rounds of seven nodes are an epoch; 1/49 is no double, and 49 times it is below 1.
  auto settings = rounds_of(7, 28);
  settings.epoch = {.batch = 8, .samples = 7 * 7 * 8};
  settings.cadences = {every_epochs(1, settings.epoch)};
  settings.rate = [](double epoch) { return epoch >= 1 ? 0.1 : 1.0; };
  std::vector<std::uint64_t> const epochs{0, 49, 98, 147, 196};
  CHECK(observed(gossip::d_psgd<>{}, 7, settings) == epochs);
  CHECK(observed(gossip::ad_psgd{}, 7, settings) == epochs);
  auto const plan = whole_plan_of(gossip::d_psgd<>{}, gossip::ring{7}.build(), settings);
  for (std::size_t e = 0; e <= 4; ++e)
    CHECK(plan.observations[e].mark.epoch == static_cast<double>(e));
  for (auto const &o : plan.stream)
    if (o.kind() == gossip::operation_kind::step)
      CHECK(o.rate() == (o.step().step_number <= 7 ? 1.0 : 0.1));
}

TEST_CASE("batches that divide a training set are observed at whole epochs", "[plan]") {
  for (std::uint64_t const samples : {8'000, 50'000, 60'000, 1'281'167})
    for (std::uint64_t batch = 1; batch <= 256; ++batch) {
      if (samples % batch != 0) continue;
      epoch_length const epoch{batch, samples};
      std::uint64_t const steps = samples / batch;
      gossip::observation_cadences due({every_epochs(1, epoch), every_epochs(0.1, epoch)}, never,
                                       1);
      for (std::uint64_t m = 1; m <= 50; ++m) {
        REQUIRE((due.due(m * steps - 1, false) & 1) == 0);
        REQUIRE((due.due(m * steps, false) & 1) == 1);
        REQUIRE(epoch.after(m * steps) == static_cast<double>(m));
      }
    }
}

TEST_CASE("any batch is observed at the first node-iteration at or beyond an epoch", "[plan]") {
  for (std::uint64_t samples = 1; samples <= 60; ++samples)
    for (std::uint64_t batch = 1; batch <= 20; ++batch)
      for (std::uint64_t const tenths : {1, 3, 10, 25}) {
        double const period = static_cast<double>(tenths) / 10;
        gossip::observation_cadences due({every_epochs(period, {batch, samples})}, never, 1);
        std::uint64_t passed = 0;  // multiples of the period
        for (std::uint64_t steps = 1; steps <= 100; ++steps) {
          std::uint64_t const now = 10 * steps * batch / (tenths * samples);
          REQUIRE(due.due(steps, false) == (now > passed));
          passed = now;
        }
      }
}

TEST_CASE("a period in epochs is the nearest fraction of small numbers", "[plan]") {
  auto const is = [](double value, std::uint64_t p, std::uint64_t q) {
    auto const found = gossip::detail::nearest_fraction(value);
    CHECK((found.numerator == p && found.denominator == q));
  };
  is(1, 1, 1);
  is(0.1, 1, 10);
  is(2.5, 5, 2);
  is(0.01, 1, 100);
  is(1.0 / 3, 1, 3);
  is(0.333333, 333'333, 1'000'000);
  is(1e9, 1'000'000'000, 1);
  is(3e-10, 3, 10'000'000'000);
  is(1e15 - 1, 999'999'999'999'999, 1);
}

TEST_CASE("periods beyond all runs and below a node-iteration are due at the end and always",
          "[plan]") {
  epoch_length const epoch{32, 60'000};
  CHECK(next_due(every_epochs(1e-300, epoch), 5) == 6);
  CHECK(next_due(every_epochs(1e300, epoch), 0) > 1'000'000'000'000'000);
  CHECK(next_due(every_epochs(1e11, epoch), 0) == 187'500'000'000'000);
}

TEST_CASE("a period in rounds, or in either unit, is as exact as one in epochs", "[plan]") {
  using either = std::variant<gossip::epochs, gossip::rounds>;
  epoch_length const epoch{8, 392};
  auto const first = [&](auto period) {
    return next_due(gossip::detail::cadence_of(period, epoch, 7), 0);
  };
  CHECK(first(gossip::rounds{3}) == 21);
  CHECK(first(gossip::rounds{~std::uint64_t{0}}) > 1'000'000'000'000'000);
  CHECK(first(either{gossip::rounds{3}}) == 21);
  CHECK(first(either{gossip::epochs{2}}) == 98);
}

TEST_CASE("a run has the fewest whole rounds that hold its epochs", "[plan]") {
  auto const rounds_in = [](double epochs, epoch_length epoch, std::size_t nodes) {
    gossip::run_settings s;
    s.stop = gossip::epochs{epochs};
    return gossip::detail::total_iterations(s, epoch, nodes) / nodes;
  };
  CHECK(rounds_in(1, {32, 7 * 3 * 32}, 3) == 7);
  CHECK(rounds_in(3, {32, 7 * 3 * 32}, 3) == 21);
  CHECK(rounds_in(1, {32, 7 * 3 * 32 + 1}, 3) == 8);
  CHECK(rounds_in(0.1, {1, 8000}, 8) == 100);
  CHECK(rounds_in(1e-12, {32, 60'000}, 8) == 1);
}

TEST_CASE("a rate decays at the epoch that it names, written as a decimal", "[plan]") {
  gossip::scheduled const optimizer{gossip::sgd{.rate = 1}, gossip::step_decay{.at = {0.3, 0.7}}};
  epoch_length const epoch{1, 70};
  CHECK(rate_at(optimizer, epoch.after(20)) == 1);
  CHECK(rate_at(optimizer, epoch.after(21)) == Approx(0.1));
  CHECK(rate_at(optimizer, epoch.after(48)) == Approx(0.1));
  CHECK(rate_at(optimizer, epoch.after(49)) == Approx(0.01));
}

TEST_CASE("a last period less than a round before the end is observed there, once", "[plan]") {
  // Ten samples a node-iteration: an epoch is 15.2 of them, and the run of two ends with round 8.
  auto settings = rounds_of(4, 8);
  settings.epoch = {.batch = 10, .samples = 152};
  settings.cadences = {every_epochs(1, settings.epoch)};
  using list = std::vector<std::uint64_t>;
  CHECK(observed(gossip::d_psgd<>{}, 4, settings) == list{0, 16, 32});
  CHECK(observed(gossip::ad_psgd{}, 4, settings) == list{0, 16, 32});  // not at 31 as well
  settings.cadences = {every_epochs(0.1, settings.epoch)};
  list const often = observed(gossip::ad_psgd{}, 4, settings);
  CHECK(often.front() == 0);
  CHECK(often[1] == 2);  // 1.52
  CHECK(often.back() == 32);
  CHECK(often.end()[-2] == 31);  // 30.4; the last period, 31.92, is due at the end itself
  settings.cadences = {{14}};
  CHECK(observed(gossip::ad_psgd{}, 4, settings) == list{0, 14, 28, 32});  // a whole round before
}
