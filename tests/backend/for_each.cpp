// Loops of the backends: every index once, exceptions come through, denormals count as zero.
#include <gossip/backend/openmp.hpp>
#include <gossip/backend/serial.hpp>

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "../catch.hpp"

namespace {

/// Runs the test on serial and on OpenMP with several numbers of threads.
template <class Test>
void on_all_backends(Test test) {
  test(gossip::serial{});
  for (std::size_t const threads : {0, 1, 2, 3, 5}) test(gossip::openmp{threads});
}

bool denormals_are_kept() {
  double volatile tiny = std::numeric_limits<double>::min();
  double volatile smaller = tiny / 2;
  return smaller > 0.0;
}

}  // namespace

TEST_CASE("every index is visited once by a worker of the team", "[backend]") {
  on_all_backends([](auto const &backend) {
    for (std::size_t const count : {0, 1, 2, 3, 17, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      std::atomic<std::size_t> highest{0};
      backend.for_each(count, [&](std::size_t worker, std::size_t i) {
        ++visits[i];
        for (std::size_t seen = highest; worker > seen;)
          highest.compare_exchange_weak(seen, worker);
      });
      CHECK(highest < backend.workers());
      for (auto const &v : visits) REQUIRE(v == 1);
    }
  });
}

TEST_CASE("no worker does two things at a time", "[backend]") {
  on_all_backends([](auto const &backend) {
    std::vector<std::atomic<int>> busy(backend.workers());
    std::atomic<bool> collided{false};
    backend.for_each(2000, [&](std::size_t worker, std::size_t) {
      if (++busy[worker] != 1) collided = true;
      --busy[worker];
    });
    CHECK_FALSE(collided);
  });
}

TEST_CASE("an exception ends the loop and comes through", "[backend]") {
  on_all_backends([](auto const &backend) {
    std::atomic<int> visits{0};
    auto const fail_at_3 = [&](std::size_t, std::size_t i) {
      ++visits;
      if (i == 3) throw std::runtime_error("index 3");
    };
    CHECK_THROWS_WITH(backend.for_each(1'000'000, fail_at_3), "index 3");
    CHECK(visits < 1'000'000);
    visits = 0;
    backend.for_each(3, fail_at_3);  // and the backend is as it was
    CHECK(visits == 3);
  });
}

TEST_CASE("denormals count as zero inside a loop, not after it", "[backend]") {
  REQUIRE(denormals_are_kept());
  on_all_backends([](auto const &backend) {
    std::atomic<int> kept{0};
    backend.for_each(17, [&](std::size_t, std::size_t) { kept += denormals_are_kept(); });
    CHECK(kept == 0);
    CHECK(denormals_are_kept());
    CHECK_THROWS(backend.for_each(1, [](std::size_t, std::size_t) { throw 1; }));
    CHECK(denormals_are_kept());
  });
}

TEST_CASE("a guard inside a guard restores what it found", "[backend]") {
  gossip::flushed_denormals const outer;
  { gossip::flushed_denormals const inner; }
  CHECK_FALSE(denormals_are_kept());
}

TEST_CASE("a loop leaves OpenMP's number of threads as it was", "[backend]") {
  int const usual = omp_get_max_threads();
  on_all_backends([&](auto const &backend) {
    backend.for_each(17, [](std::size_t, std::size_t) {});
    CHECK(omp_get_max_threads() == usual);
  });
}

TEST_CASE("the worker of a backend visits nodes, rows and lanes, each once", "[backend]") {
  auto const test = [](auto const &worker) {
    std::vector<int> visits(2 * 3 * 5);
    worker.for_each(2, 3, 5, [&](std::size_t j, std::size_t row, std::size_t lane) {
      ++visits[(j * 3 + row) * 5 + lane];
    });
    CHECK(visits == std::vector<int>(30, 1));
  };
  test(gossip::serial::worker{});
  test(gossip::openmp::worker{});
}
