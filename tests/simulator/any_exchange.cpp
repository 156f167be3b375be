// Exchanges and compute times that are chosen at run time: runs and plans are those of the types.
#include <gossip/backend/cpu.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/prepared_times.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/exchange/clipped_gossip.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/epidemic_learning.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/exchange/momentum_mixing.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/exchange/parameter_server.hpp>
#include <gossip/exchange/relay_sgd.hpp>
#include <gossip/exchange/sam_d_psgd.hpp>
#include <gossip/exchange/slow_mo.hpp>
#include <gossip/exchange/stop_at.hpp>
#include <gossip/mixing/one_peer.hpp>
#include <gossip/model/layer/dense.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/sequential.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/any_compute_time.hpp>
#include <gossip/simulator/any_exchange.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/exponential.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "../engine/recording_device.hpp"
#include "../exchange/row_exchanges.hpp"
#include "../exchange/scalar_exchanges.hpp"
#include "../exchange/whole_row_exchanges.hpp"

using namespace gossip;

namespace {

quadratic<40> const valley{
    .curvature = {1.0, 0.5, 2.0}, .optimum = {1, -2, 3, 4}, .noise = 0.1, .start = 0.25};
sgd const heavy{.rate = 0.05, .momentum = 0.5};
run_settings const nine_rounds{.seed = 3, .stop = rounds{9}};
virtual_clock<lognormal_time> const machines{
    .compute = {.cv = 0.3},
    .network = {.latency = virtual_time(1000)},
    .slow = {{2, 3.0}},
    .kinds = {{.share = 0.25, .factor = 2}, {.nodes = {1}, .compute = {{.cv = 0.5}}}}};

template <class Exchange, class Topology, class Clock>
auto network_of(Topology const &topology, Exchange const &exchange, Clock const &clock) {
  return simulator{topology, valley, heavy, exchange, clock, cpu{.threads = 1}};
}

void check_same(run_report const &one, run_report const &other) {
  CHECK(hex(one.digest) == hex(other.digest));
  CHECK(one.virtual_seconds == other.virtual_seconds);
  CHECK(one.bytes_sent == other.bytes_sent);
  CHECK(one.mean_cohort == other.mean_cohort);
  CHECK(one.state_bytes_per_node == other.state_bytes_per_node);
  CHECK(one.announced.total() == other.announced.total());
}

// Any: the type that holds the exchange.
template <class Any = any_exchange, class Exchange, class Topology = ring>
void check_erased(Exchange const &exchange, Topology const &topology = ring{12}) {
  auto own = network_of(topology, exchange, machines);
  auto erased = network_of(topology, Any(exchange), any_clock(machines));
  check_same(own.run(nine_rounds), erased.run(nine_rounds));
  CHECK(erased.memory(nine_rounds, 12, 12).total() == own.memory(nine_rounds, 12, 12).total());
  run_settings divided = nine_rounds;
  divided.ranks = 3;
  auto const planned = own.dry_run(divided, {}), planned_erased = erased.dry_run(divided, {});
  CHECK(planned_erased.virtual_seconds == planned.virtual_seconds);
  CHECK(planned_erased.bytes_sent == planned.bytes_sent);
  CHECK(planned_erased.bytes_across == planned.bytes_across);
  CHECK(planned_erased.mean_cohort == planned.mean_cohort);
  CHECK(planned_erased.memory.total() == planned.memory.total());
}

// quote by_name
any_exchange exchange_of(std::string const &name) {
  if (name == "ad_psgd") return ad_psgd{};
  if (name == "gradient_tracking") return gradient_tracking<>{};
  return d_psgd{.order = mixing_order::adapt_then_combine};
}
// end quote

/// Listed before those of the exchanges, which so have other numbers than in their own lists.
struct negated {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0b1, writes = 0b1;

  template <class T>
  constexpr void operator()(T const *, T *x) const {
    x[0] = -x[0];
  }
};
struct first_neighbor {
  template <class T>
  constexpr T operator()(neighbor_column<T> const &x) const {
    return x.value(0);
  }
};
struct first_scalar {
  static constexpr std::size_t scalars = 1, numbers = 0;

  template <class T>
  constexpr T operator()(T const *s, T const *) const {
    return s[0];
  }
};
struct cleared {
  static constexpr std::size_t rows = 1, coefficients = 0;
  static constexpr std::uint32_t reads = 0b0, writes = 0b1;

  template <class T, class Team>
  constexpr void operator()(Team const &team, std::size_t columns, double const *,
                            T *const *x) const {
    T *const row = x[0];
    team.each(columns, [=](std::size_t i) { row[i] = T{0}; });
  }
};
using any_with_functions =
    basic_any_exchange<function_list<negated, test::cross, first_neighbor, test::midrange,
                                     test::furthest_above, test::mixed_moment, first_scalar,
                                     test::bounded_share, cleared, test::ranked_below>>;

/// The same bits on the host and on a device, whatever holds the exchange.
template <class Exchange>
void check_functions(Exchange const &exchange) {
  check_erased<any_with_functions>(exchange);
  auto const on_device = [](auto const &held) {
    return simulator{ring{12}, valley, heavy, held, machines, test::recording_device{}}
        .run(nine_rounds)
        .digest;
  };
  CHECK(on_device(any_with_functions(exchange)) == on_device(exchange));
}

}  // namespace

TEST_CASE("an exchange chosen at run time gives the bits of its type", "[simulator]") {
  check_erased(none{});
  check_erased(all_reduce{});
  check_erased(ad_psgd{});
  check_erased(d_psgd{});
  check_erased(d_psgd{.order = mixing_order::adapt_then_combine, .wait = barrier::global});
  check_erased(d_psgd<one_peer>{.order = mixing_order::adapt_then_combine}, exponential{12});
  check_erased(gradient_tracking<>{});
  check_erased(momentum_mixing<>{});
  check_erased(slow_mo<>{{}, 3});
  check_erased(epidemic_learning{});
  check_erased(clipped_gossip<>{.radius = 0.75});
  check_erased(sam_d_psgd<>{.radius = 0.1});
  check_erased(fed_avg{.local_steps = 2});
  check_erased(parameter_server{});
  check_erased(relay_sgd{});
  check_erased(buffered_gossip{.least = 2, .most = 5});
}

TEST_CASE("a plan of an exchange chosen at run time has windows that end at limits",
          "[simulator]") {
  graph const g = ring{12}.build();
  plan_settings settings;
  settings.node_iterations = 60;
  settings.epoch.samples = 12;
  settings.rate = [](double) { return 0.1; };
  planner<any_exchange> source(exchange_of("ad_psgd"), g, machines, settings);
  plan_window window;
  for (std::uint64_t const limit : {1, 2, 30, 55, 60}) {
    REQUIRE(source.next(window, limit));
    CHECK(window.end.node_iterations == limit);
  }
  CHECK_FALSE(source.next(window));
}

TEST_CASE("functions of an exchange of one's own are found in a list of several exchanges",
          "[simulator]") {
  check_functions(test::pairs_of_rows{});
  check_functions(test::mixtures_of_rows{});
  check_functions(test::scalars_by_event{});
  check_functions(test::whole_rows_by_event{});
}

TEST_CASE("an exchange with rows of its own is refused where gradients may overflow",
          "[simulator]") {
  using narrow = sequential<input<1, 4, 4>, dense<5>>;
  auto const with = [](any_exchange const &exchange) {
    simulator{ring{4}, narrow{}, heavy, exchange, mixed_precision<fp16>{}};
  };
  CHECK_NOTHROW(with(exchange_of("d_psgd")));
  CHECK_THROWS_WITH(with(exchange_of("gradient_tracking")),
                    "exchange: expected gradients that cannot overflow, such as bf16, got fp16 for "
                    "an exchange with rows of its own");
}

TEST_CASE("ranks are told the members of what was chosen at run time", "[simulator]") {
  auto const facts = [](auto const &value) {
    fact_list all;
    detail::add_facts(all, "it", value);
    return all;
  };
  using pair = std::pair<std::string, std::string>;
  auto const erased = facts(any_exchange(d_psgd{.wait = barrier::global}));
  auto const own = facts(d_psgd{.wait = barrier::global});
  REQUIRE(erased.size() == own.size() + 1);
  CHECK(std::equal(own.begin(), own.end(), erased.begin() + 1));
  CHECK(erased.front() != facts(any_exchange(ad_psgd{})).front());
  auto const clock = facts(virtual_clock<any_compute_time>{lognormal_time{.cv = 0.25}});
  CHECK(std::ranges::count(clock, pair{"cv of compute of it", "0.25"}) == 1);
  CHECK(std::ranges::count(clock, pair{"mean of compute of it", "10000000 ns"}) == 1);
  CHECK(std::ranges::count(clock, pair{"latency of link of it", "25000 ns"}) == 1);
  // A policy with a base class, which cannot be taken apart, tells what it describes.
  auto const stopping = facts(
      any_exchange(stop_at<d_psgd<>>{{.wait = barrier::global}, measured::test_loss, 0.125, 3}));
  for (pair const &fact : {pair{"barrier of it", "global"}, pair{"what of it", "test_loss"},
                           pair{"bound of it", "0.125"}, pair{"every of it", "3"}})
    CHECK(std::ranges::count(stopping, fact) == 1);
}

TEST_CASE("compute times chosen at run time are those of the type, and refused as it is",
          "[simulator]") {
  lognormal_time const drawn{.cv = 0.5};
  any_compute_time const erased = drawn;
  gossip::prepared_times const prepared = erased.prepare();
  for (std::uint64_t step = 0; step < 9; ++step) {
    CHECK(erased.duration(7, 3, step) == drawn.duration(7, 3, step));
    CHECK(prepared.duration(7, 3, step) == drawn.duration(7, 3, step));
  }
  REQUIRE(prepared.side_by_side());
  gossip::next_durations several;
  prepared.durations(7, 3, 1, several);
  for (std::uint64_t k = 0; k < 8; ++k) CHECK(several[k] == drawn.duration(7, 3, 1 + k));
  CHECK_FALSE(any_compute_time(constant_time{}).prepare().side_by_side());
  CHECK_THROWS_WITH(any_compute_time(constant_time{virtual_time(0)}).prepare(),
                    test::contains("constant_time: mean: expected at least 1 ns"));
}
