// Memory of a run: announced, refused where it cannot be had, and taken as announced.
#include <gossip/fleet/memory.hpp>

#include <gossip/data/iid.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/mixing/metropolis_hastings.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/runs.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/complete.hpp>
#include <gossip/topology/random_regular.hpp>
#include <gossip/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "../engine/recording_device.hpp"
#include "stores.hpp"

using gossip::resident_bytes;

namespace {

// The most that is resident is counted from here on.
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

// Resident memory while the rows are still there.
struct weigh {
  std::size_t *bytes;
  void take(gossip::record const &) { *bytes = resident_bytes(); }
};

// All nodes keep their largest numbers, of rows in 16 bits on numbers beside them.
struct keeps_largest {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    for (gossip::node i = 0; i < plan.nodes(); ++i)
      plan.apply(gossip::op::top_k{}, i, {gossip::model_row}, {1e6});
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

// All models become their mean.
struct averages_all {
  void on_round(auto &plan, gossip::round_number) const {
    plan.train_all();
    plan.step_all();
    plan.average_all();
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }
};

// Everybody with everybody, by a matrix that is made anew in every round; or by one for all.
struct mixes_all {
  bool of_rounds = true;

  void on_round(auto &plan, gossip::round_number k) const {
    plan.train_all();
    plan.step_all();
    if (of_rounds)
      plan.mix_all(all_with_all(plan.nodes()));
    else
      plan.mix_all(plan.weights(k));
  }
  gossip::mixing_matrix weights(gossip::graph const &g) const {
    return of_rounds ? gossip::metropolis_hastings{}.weights(g) : all_with_all(g.nodes());
  }
  static constexpr gossip::exchange_properties properties() { return {.gradient_waits = false}; }

  static gossip::mixing_matrix all_with_all(std::size_t nodes) {
    std::vector<std::size_t> offsets(nodes + 1);
    std::vector<gossip::node> columns(nodes * nodes);
    for (std::size_t i = 0; i <= nodes; ++i) offsets[i] = i * nodes;
    for (std::size_t k = 0; k < columns.size(); ++k)
      columns[k] = static_cast<gossip::node>(k % nodes);
    std::vector<double> values(nodes * nodes, 1.0 / static_cast<double>(nodes));
    return {std::move(offsets), std::move(columns), std::move(values)};
  }
};

// Peak memory of a run, beside what was there, against the announced.
template <class Simulator>
void check_announced(Simulator network, std::uint64_t count) {
  if (!forget_peak()) {
    WARN("skipped: the system does not count the peak anew");
    return;
  }
  std::size_t const before = resident_bytes();
  auto const report = network.run({.stop = gossip::rounds{count}}, gossip::consensus_distance{});
  CHECK(static_cast<double>(report.peak_resident_bytes - before) ==
        Approx(static_cast<double>(report.announced.total())).epsilon(0.05).margin(16e6));
}

}  // namespace

TEST_CASE("a run that cannot fit is refused with the numbers", "[fleet]") {
  gossip::memory_need const need{
      .rows = 3'000'000'000, .working = 500'000'000, .data = 40'000'000, .plan = 1};
  CHECK(need.total() == 3'540'000'001);
  CHECK_NOTHROW(gossip::require_memory(need, 3'540'000'001));
  CHECK_THROWS_WITH(gossip::require_memory(need, 3'540'000'000),
                    "memory: the run needs 3.6 GB (3.0 GB of it for the rows of the nodes), "
                    "available are 3.6 GB");
  CHECK_THROWS_WITH(gossip::require_memory({.rows = 1}, 0),
                    "memory: the run needs 0.1 GB (0.1 GB of it for the rows of the nodes), "
                    "available are 0.0 GB");
}

TEST_CASE("a network beyond all memory is refused before anything is trained", "[fleet]") {
  gossip::simulator network{gossip::ring{100'000}, gossip::quadratic<100'000'000>{},
                            gossip::sgd{.momentum = 0.9}, gossip::none{}};
  CHECK_THROWS_WITH(network.run({}),
                    gossip::test::contains("(80000.0 GB of it for the rows of the nodes)"));
}

TEST_CASE("the memory of this machine and of this process is known", "[fleet]") {
  CHECK(gossip::available_memory() > 1'000'000);
  CHECK(gossip::available_memory() < std::size_t{1} << 60);
  CHECK(gossip::peak_resident_bytes() >= resident_bytes() / 2);
}

TEST_CASE("a run of 800 perceptrons takes the memory that was announced", "[fleet]") {
  auto const images = gossip::synthetic{.samples = 1600, .shape = {1, 28, 28}}.build();
  gossip::simulator network{gossip::random_regular{.nodes = 800, .degree = 8}, gossip::mlp{},
                            gossip::sgd{.rate = 0.01, .momentum = 0.9}, gossip::ad_psgd{}};
  std::size_t const before = resident_bytes();
  std::size_t during = 0;
  auto const report = network.run({.batch = 2, .stop = gossip::rounds{1}},
                                  gossip::split(images, gossip::iid{}), weigh{&during});
  REQUIRE(report.announced.rows >= 800 * 2 * 79'510 * sizeof(float));
  // The images were there before; threads and BLAS take some megabytes of their own.
  double const needed = static_cast<double>(report.announced.total() - report.announced.data);
  CHECK(static_cast<double>(during - before) == Approx(needed).epsilon(0.05).margin(16e6));
  std::size_t const lag = 1'000'000;  // the system counts pages by the dozen
  CHECK(report.peak_resident_bytes + lag >= during);
}

TEMPLATE_TEST_CASE("a run of four large models takes the memory that was announced", "[fleet]",
                   gossip::numbers<float>, (gossip::numbers<float, gossip::bf16>)) {
  constexpr std::size_t parameters = 20'000'000;
  gossip::simulator network{gossip::ring{4}, gossip::quadratic<parameters>{},
                            gossip::sgd{},   gossip::d_psgd{},
                            gossip::cpu{2},  TestType{}};
  if (!forget_peak()) {
    WARN("skipped: the system does not count the peak anew");
    return;
  }
  std::size_t const before = resident_bytes();
  auto const report = network.run({.stop = gossip::rounds{2}}, gossip::consensus_distance{});
  double const needed = static_cast<double>(report.announced.total());
  CHECK(static_cast<double>(report.peak_resident_bytes - before) ==
        Approx(needed).epsilon(0.05).margin(16e6));
}

TEST_CASE("what operations need beside rows is announced", "[fleet]") {
  using large = gossip::quadratic<20'000'000>;
  SECTION("numbers of rows in 16 bits") {
    check_announced(gossip::simulator{gossip::ring{4}, large{}, gossip::sgd{}, keeps_largest{},
                                      gossip::cpu{2}, gossip::numbers<float, gossip::bf16>{}},
                    1);
    check_announced(
        gossip::simulator{gossip::ring{4}, large{}, gossip::sgd{}, keeps_largest{}, gossip::cpu{2}},
        1);
  }
  SECTION("sums over nodes") {
    check_announced(
        gossip::simulator{gossip::ring{4}, large{}, gossip::sgd{}, averages_all{}, gossip::cpu{2}},
        2);
  }
  SECTION("matrices for a round") {
    check_announced(gossip::simulator{gossip::ring{1200}, gossip::quadratic<1>{}, gossip::sgd{},
                                      mixes_all{}, gossip::cpu{2}},
                    12);
  }
}

// Of three ranks with four nodes each all listen to the eight others, whom the graph does not join.
TEST_CASE("rows of others that matrices ask for are announced", "[fleet]") {
  auto const needed = [](auto const &topology, auto const &exchange) {
    gossip::simulator network{topology, gossip::quadratic<100'000>{}, gossip::sgd{}, exchange};
    return network.dry_run({.stop = gossip::rounds{2}, .ranks = 3}, {}).memory.working;
  };
  std::size_t const joined = needed(gossip::complete{12}, gossip::d_psgd{});
  CHECK(needed(gossip::ring{12}, mixes_all{.of_rounds = true}) == joined);
  CHECK(needed(gossip::ring{12}, mixes_all{.of_rounds = false}) == joined);
  CHECK(needed(gossip::ring{12}, gossip::d_psgd{}) < joined);
}

// The memory of this device is the host's too. The images are there twice, once before the run.
TEST_CASE("a run on a device takes the memory of the host that was announced", "[fleet]") {
  if (!forget_peak()) {
    WARN("skipped: the system does not count the peak anew");
    return;
  }
  auto const images = gossip::synthetic{.samples = 1600, .shape = {1, 28, 28}}.build();
  gossip::simulator network{gossip::random_regular{.nodes = 800, .degree = 8}, gossip::mlp{},
                            gossip::sgd{.rate = 0.01}, gossip::d_psgd{},
                            gossip::test::recording_device{}};
  std::size_t const before = resident_bytes();
  auto const report =
      network.run({.batch = 2, .stop = gossip::rounds{1}}, gossip::split(images, gossip::iid{}),
                  gossip::consensus_distance{});
  CHECK(report.announced.rows > 240'000'000);
  CHECK(report.announced.host < 100'000'000);
  double const needed = static_cast<double>(report.announced.total() + report.announced.host);
  CHECK(static_cast<double>(report.peak_resident_bytes - before) ==
        Approx(needed).epsilon(0.05).margin(16e6));
}

TEST_CASE("a run keeps within its limit of memory, with the same digest", "[fleet]") {
  std::string const folder = gossip::test::scratch_folder();
  if (folder.empty() || !forget_peak()) {
    WARN("skipped: no folder on a disk, or the system does not count the peak anew");
    return;
  }
  auto const check = [&](auto exchange, bool by_owner) {
    gossip::simulator const network{gossip::random_regular{300, 4},
                                    gossip::quadratic<61'706>{.optimum = {1, -2, 3}, .noise = 0.1},
                                    gossip::sgd{.rate = 0.1, .momentum = 0.9}, exchange};
    gossip::run_settings settings{.stop = gossip::rounds{2}, .scratch = folder};
    std::uint64_t const expected = network.run(settings).digest;
    std::size_t const rows = std::size_t{300} * 2 * 61'706 * sizeof(float);
    settings.memory = resident_bytes() + rows / 2;
    forget_peak();
    auto const report = network.run(settings, gossip::consensus_distance{});
    CHECK(report.digest == expected);
    REQUIRE(report.tier.has_value());
    CHECK(report.tier->by_owner == by_owner);
    CHECK(report.tier->frames < 250);
    CHECK(report.announced.stored > rows);
    auto const limit = static_cast<double>(settings.memory);
    CHECK(static_cast<double>(report.peak_resident_bytes) < limit + std::max(0.05 * limit, 100e6));
    settings.memory = resident_bytes() + 2 * rows;
    CHECK(!network.run(settings).tier.has_value());  // all of them fit
    settings.memory = resident_bytes() + 1'000'000;
    CHECK_THROWS_WITH(network.run(settings), Catch::StartsWith("memory: expected at least "));
  };
  check(gossip::d_psgd<>{}, false);
  check(gossip::ad_psgd{}, true);
}

TEST_CASE("a limit of memory is refused where rows cannot be streamed", "[fleet]") {
  gossip::run_settings settings{.stop = gossip::rounds{1}, .memory = 1'000'000};
  gossip::simulator const shared{gossip::ring{4}, gossip::quadratic<16>{}, gossip::sgd{.rate = 0.1},
                                 gossip::all_reduce{}, gossip::with_reference{}};
  CHECK_THROWS_WITH(shared.run(settings), Catch::Contains("for the one model of all nodes"));
  settings.engine = gossip::execution::reference;
  CHECK_THROWS_WITH(shared.run(settings),
                    Catch::Contains("which the levelled engine of a host can read from a disk"));
}
