// Loops on the threads of the host: how many threads work at once, and on whose behalf.
#include <gossip/backend/cpu/threads.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "../environment.hpp"

namespace {

using gossip::host_threads;
using gossip::thread_team;

/// Threads that are inside one loop of so many indices at the same time; each waits for the others,
/// ten seconds at most.
std::size_t at_work_at_once(std::size_t threads) {
  std::atomic<std::size_t> here{0};
  std::mutex lock;
  std::set<std::thread::id> found;
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  host_threads{threads}.for_each(threads, [&](std::size_t, std::size_t) {
    {
      std::lock_guard const turn(lock);
      found.insert(std::this_thread::get_id());
    }
    ++here;
    while (here < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return found.size();
}

}  // namespace

TEST_CASE("as many threads work at once as are asked for, above the cores too", "[backend]") {
  for (std::size_t const threads : {1, 2, 3, 8}) {
    CAPTURE(threads);
    CHECK(at_work_at_once(threads) == threads);  // of a loop alone
    thread_team const ready(threads);
    CHECK(at_work_at_once(threads) == threads);
    CHECK(at_work_at_once(threads) == threads);
    CHECK(at_work_at_once(threads + 1) == threads + 1);  // more than stand ready
  }
}

TEST_CASE("teams of several threads at once have all of their threads", "[backend]") {
  std::vector<std::size_t> found(3);
  {
    std::vector<std::jthread> runs;
    for (std::size_t k = 0; k < found.size(); ++k)
      runs.emplace_back([&found, k] {
        thread_team const ready(k + 2);
        found[k] = at_work_at_once(k + 2);
      });
  }
  CHECK(found == std::vector<std::size_t>{2, 3, 4});
}

TEST_CASE("a loop inside a loop has threads of its own", "[backend]") {
  thread_team const ready(2);
  std::vector<std::size_t> found(2);
  host_threads{2}.for_each(2, [&](std::size_t, std::size_t i) { found[i] = at_work_at_once(3); });
  CHECK(found == std::vector<std::size_t>{3, 3});
}

TEST_CASE("an exception of a loop that has a team leaves the team as it was", "[backend]") {
  thread_team const ready(3);
  CHECK_THROWS_WITH(host_threads{3}.for_each(100,
                                             [](std::size_t, std::size_t i) {
                                               if (i == 7) throw std::runtime_error("index 7");
                                             }),
                    "index 7");
  CHECK(at_work_at_once(3) == 3);
}

TEST_CASE("the first number of OMP_NUM_THREADS is the usual number of threads", "[backend]") {
  gossip::test::environment_variable const variable("OMP_NUM_THREADS");
  variable.unset();
  std::size_t const cores = gossip::usual_threads();
  CHECK(cores >= 1);
  variable.set("");
  CHECK(gossip::usual_threads() == cores);
  for (std::string const one : {"3", "3,2", " 3 ", "3 , 2"}) {
    variable.set(one);
    CHECK(gossip::usual_threads() == 3);
    CHECK(host_threads{}.workers() == 3);
    CHECK(host_threads{5}.workers() == 5);
  }
  for (std::string const wrong :
       {"0", "-1", "two", "3x", "1.5", "100000", "99999999999999999999"}) {
    variable.set(wrong);
    CHECK_THROWS_WITH(
        gossip::usual_threads(),
        "OMP_NUM_THREADS: expected a whole number of threads from 1 to 1024, got '" + wrong + "'");
  }
}
