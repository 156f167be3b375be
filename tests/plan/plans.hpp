// A whole plan in memory, for tests that look at its operations.
#pragma once

#include <gossip/clock/constant_time.hpp>
#include <gossip/core/elementary.hpp>
#include <gossip/core/random.hpp>
#include <gossip/graph/graph.hpp>
#include <gossip/plan/planner.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../catch.hpp"

namespace gossip::test {

/// All windows of a plan, one behind the other.
struct whole_plan {
  std::vector<operation> stream;
  std::vector<observation> observations;
  progress_mark end;
  std::size_t windows = 0;
  std::size_t trainings = 0;
  std::size_t cohorts = 0;  // levels with trainings

  double mean_cohort() const {
    return static_cast<double>(trainings) / static_cast<double>(cohorts);
  }
  std::size_t count(operation_kind kind) const {
    std::size_t total = 0;
    for (operation const &o : stream) total += o.kind() == kind;
    return total;
  }
};

/// The time that a training takes in tests of virtual time.
constexpr virtual_time compute = std::chrono::milliseconds(10);

/// A link on which messages take 20 us, and 1 us more for every 100 bytes.
constexpr link slow_link{.latency = std::chrono::microseconds(20), .bandwidth = 1e8};

/// Two plans with the same operations at the same times.
inline void check_same(whole_plan const &one, whole_plan const &other) {
  auto const same = [](operation const &a, operation const &b) {
    return a.does_as(b) && a.level == b.level;
  };
  REQUIRE(one.stream.size() == other.stream.size());
  for (std::size_t k = 0; k < one.stream.size(); ++k) REQUIRE(same(one.stream[k], other.stream[k]));
  CHECK(one.end.time == other.end.time);
  REQUIRE(one.observations.size() == other.observations.size());
  for (std::size_t k = 0; k < one.observations.size(); ++k)
    CHECK(one.observations[k].mark.time == other.observations[k].mark.time);
}

/// A link that takes no time.
inline link instant() {
  return {.latency = virtual_time(0), .bandwidth = std::numeric_limits<double>::infinity()};
}

/// A link on which every message takes 300 us.
inline link wide_link() {
  return {.latency = std::chrono::microseconds(300), .bandwidth = instant().bandwidth};
}

/// That link, said of node 0 apart, so that nodes have activities ahead of them; or nothing.
inline differing_links wide_links(bool apart) {
  differing_links links;
  if (apart)
    links.nodes = {
        {.which = 0, .latency = wide_link().latency, .bandwidth = wide_link().bandwidth}};
  return links;
}

/// Memoryless times of 10 ms in the mean: every node is as likely as any other to be the next.
struct exponential_time {
  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    double const u = keyed_random(seed, purpose::compute_time, i, step).uniform();
    return virtual_time(1 + static_cast<std::int64_t>(-1e7 * elementary::log(1.0 - u)));
  }
};

/// So many rounds of n nodes with messages of 1,000 bytes; an epoch is a round.
inline plan_settings rounds_of(std::size_t nodes, std::uint64_t rounds) {
  plan_settings settings;
  settings.node_iterations = nodes * rounds;
  settings.epoch.samples = nodes;
  settings.message_bytes = 1000;
  settings.rate = [](double) { return 0.1; };
  return settings;
}

/// Plans to the end; look(window) sees each window on the way.
template <class Exchange, class Compute, class Look>
whole_plan whole_plan_of(Exchange const &exchange, graph const &g,
                         virtual_clock<Compute> const &clock, plan_settings const &settings,
                         Look look) {
  planner<Exchange> source(exchange, g, clock, settings);
  whole_plan all;
  for (plan_window window; source.next(window);) {
    ++all.windows;
    all.stream.insert(all.stream.end(), window.stream.begin(), window.stream.end());
    all.observations.insert(all.observations.end(), window.observations.begin(),
                            window.observations.end());
    all.end = window.end;
    std::size_t const trainings = all.trainings, cohorts = all.cohorts;
    for (std::size_t l = 0; l < window.levels(); ++l) {
      all.trainings += window.level(l).cohort.size();
      all.cohorts += !window.level(l).cohort.empty();
    }
    CHECK(window.trainings() == all.trainings - trainings);
    CHECK(window.cohorts() == all.cohorts - cohorts);
    look(window);
  }
  return all;
}

template <class Exchange, class Compute>
whole_plan whole_plan_of(Exchange const &exchange, graph const &g,
                         virtual_clock<Compute> const &clock, plan_settings const &settings) {
  return whole_plan_of(exchange, g, clock, settings, [](plan_window const &) {});
}

/// So many rounds on a clock; all rows take 1,000 bytes, and 125 columns. told: of its activities,
/// or null.
template <class Exchange, class Compute>
whole_plan plan_on(virtual_clock<Compute> const &clock, Exchange const &exchange, graph const &g,
                   std::uint64_t rounds = 12, timeline *told = nullptr) {
  auto settings = rounds_of(g.nodes(), rounds);
  settings.row_bytes = settings.message_bytes;
  settings.columns = 125;
  settings.times = told;
  return whole_plan_of(exchange, g, clock, settings);
}

/// With trainings of 10 ms and instant links.
template <class Exchange>
whole_plan whole_plan_of(Exchange const &exchange, graph const &g, plan_settings const &settings) {
  return whole_plan_of(exchange, g, virtual_clock{.compute = constant_time{}, .network = instant()},
                       settings);
}

}  // namespace gossip::test
