// What a run needs in memory: announced, refused where it cannot be had, and true.
#include <gossip/fleet/memory.hpp>

#include <gossip/data/iid.hpp>
#include <gossip/data/synthetic.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/none.hpp>
#include <gossip/graph/random_regular.hpp>
#include <gossip/graph/ring.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>

#include <fstream>
#include <string>

#include "../catch.hpp"
#include "../engine/recording_device.hpp"

namespace {

std::size_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key; status.ignore(256, '\n'))
    if (key == "VmRSS:") {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

// The most that is resident is counted from here on.
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << 5 << std::flush;
  return file.good();
}

// What is resident while the rows are still there.
struct weigh {
  std::size_t *bytes;
  void take(gossip::record const &) { *bytes = resident_bytes(); }
};

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
  gossip::simulator network{gossip::ring{4},   gossip::quadratic<parameters>{},
                            gossip::sgd{},     gossip::d_psgd{},
                            gossip::openmp{2}, TestType{}};
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
