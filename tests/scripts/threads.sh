#!/usr/bin/env bash
# Loops of the host beside what else has threads: one core, a BLAS library with threads of its own,
# loops of TBB and OpenMP in the user's program, the thread sanitizer.
set -u
. "$(dirname "$0")/checks.bash"
. "$(dirname "$0")/quickstart.bash"

compilers=("$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$GOSSIP_BUILD/CMakeCache.txt")")
for version in '' -22 -21 -20 -19 -18 -17 -16; do
  found=$(command -v clang++$version) || continue
  [ "$("$found" -dumpversion | cut -d. -f1)" -ge 16 ] && compilers+=("$found") && break
done

# built <compiler> <program> <flag>...: $work/<program>, or a fault.
built() {
  local compiler=$1 program=$2
  shift 2
  "$compiler" "@$GOSSIP_BUILD/tests/fails/flags" "$work/${program%-*}.cpp" "$@" -ltbb -lz \
    -o "$work/$program" >"$work/$program.log" 2>&1 && return
  fault "$compiler, $program: $(head -n 20 "$work/$program.log")"
  return 1
}

# 1. Threads that are inside a loop at the same time, each waiting for the others.
cat >"$work/at_work.cpp" <<'TEXT'
#include <gossip/backend/cpu/threads.hpp>
#include <chrono>
#include <cstdio>
#include <thread>
int main() {
  for (std::size_t const threads : {1, 2, 3, 8}) {
    gossip::thread_team const ready(threads);
    std::atomic<std::size_t> here{0};
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    gossip::host_threads{threads}.for_each(threads, [&](std::size_t, std::size_t) {
      ++here;
      while (here < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    std::printf(" %s", std::chrono::steady_clock::now() < end ? "all" : "fewer");
  }
}
TEXT
if built "${compilers[0]}" at_work-0 -O1; then
  for cores in '' 'taskset -c 0'; do
    said=$($cores "$work/at_work-0" 2>&1)
    [ "$said" = ' all all all all' ] || fault "threads at work, '$cores': of 1, 2, 3 and 8$said"
  done
fi

# 2. A product inside a loop takes one thread of each BLAS library that is installed: processor time
# of all threads of the process over that of the loop's threads. Threads of the loop that wait for each
# other, as on a busy machine, count as the loop's.
cat >"$work/product.cpp" <<'TEXT'
#include <gossip/backend/cpu.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>
// Seconds on a processor, of each thread of this process.
std::map<std::string, double> seconds_of_threads() {
  std::map<std::string, double> seconds;
  for (auto const& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    double nanoseconds = 0;
    std::ifstream(thread.path() / "schedstat") >> nanoseconds;
    seconds[thread.path().filename()] = 1e-9 * nanoseconds;
  }
  return seconds;
}
int main() {
  constexpr std::size_t n = 512, loops = 4;
  gossip::cpu const backend{.threads = 2};
  gossip::cpu::session const session{backend};
  // Threads that a library has begun as it was loaded wait actively for a moment.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  std::vector<std::string> thread_of(loops);
  auto const before = seconds_of_threads();
  backend.for_each(loops, [&](std::size_t, std::size_t i) {
    thread_of[i] = std::to_string(gettid());
    std::vector<float> a(n * n, 1.0f), c(n * n);
    for (int k = 0; k < 10; ++k)
      gossip::blas::gemm<float>({false, false, n, n, n}, {a.data(), n}, {a.data(), n}, 0.0f,
                                {c.data(), n});
  });
  std::set<std::string> const of_loop(thread_of.begin(), thread_of.end());
  double all = 0, loop = 0;
  for (auto [thread, seconds] : seconds_of_threads()) {
    if (before.contains(thread)) seconds -= before.at(thread);
    all += seconds;
    if (of_loop.contains(thread)) loop += seconds;
  }
  std::printf("%.2f\n", all / loop);
}
TEXT
shopt -s nullglob
for compiler in "${compilers[@]}"; do
  tried=0
  for library in "$blas" /usr/lib/*/{openblas,blis}-*/lib{openblas,blis}.so.?; do
    tried=$((tried + 1))
    built "$compiler" "product-$tried" -isystem "$headers" -O2 "$library" || continue
    # The library itself, and not the one that the system would choose for its name.
    ratio=$(OMP_NUM_THREADS=3 LD_PRELOAD=$library "$work/product-$tried" 2>&1)
    echo "$compiler, $library: $ratio"
    awk -v r="$ratio" 'BEGIN { exit !(r > 0.9 && r < 1.1) }' ||
      fault "$compiler, $library: a product inside a loop takes $ratio times its thread's time"
  done
done

# 3. The same digest in loops of the user's, of both kinds, and in several threads.
cat >"$work/inside.cpp" <<'TEXT'
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>
#include <tbb/parallel_for.h>
#include <cstdio>
#include <thread>
#include <vector>
std::uint64_t run(std::size_t threads) {
  gossip::simulator network{gossip::ring{.nodes = 40}, gossip::quadratic<300>{},
                            gossip::sgd{.rate = 0.1}, gossip::d_psgd{},
                            gossip::cpu{.threads = threads}};
  return network.run({.seed = 5, .stop = gossip::rounds{30}}).digest;
}
int main() {
  std::uint64_t const alone = run(1);
  constexpr int runs = 6;
  std::vector<std::uint64_t> found;
  auto const keep = [&](auto loop) {
    std::vector<std::uint64_t> some(runs);
    loop([&](int k) { some[static_cast<std::size_t>(k)] = run(1 + static_cast<std::size_t>(k) % 3); });
    found.insert(found.end(), some.begin(), some.end());
  };
  keep([](auto f) { tbb::parallel_for(0, runs, f); });
  keep([](auto f) {
    std::vector<std::jthread> all;
    for (int k = 0; k < runs; ++k) all.emplace_back(f, k);
  });
  keep([](auto f) {
#pragma omp parallel for
    for (int k = 0; k < runs; ++k) f(k);
  });
  int others = 0;
  for (std::uint64_t const one : found) others += one != alone;
  std::printf("%zu runs, %d with another digest\n", found.size(), others);
}
TEXT
if built "${compilers[0]}" inside-0 -fopenmp -O1 -isystem "$headers" "$blas"; then
  said=$("$work/inside-0" 2>&1)
  [ "$said" = '18 runs, 0 with another digest' ] || fault "runs in loops of the user's: $said"
fi

# 4. The thread sanitizer reports a race in the body of a loop, and nothing where there is none.
cat >"$work/race.cpp" <<'TEXT'
#include <gossip/backend/cpu/threads.hpp>
#include <cstdio>
#include <vector>
int main() {
  std::vector<std::size_t> sums(1000);
  std::size_t all = 0;
  for (int k = 0; k < 3; ++k) {
    gossip::host_threads{3}.for_each(sums.size(), [&](std::size_t, std::size_t i) {
      sums[i] += i;
#ifdef PLANTED
      all += i;
#endif
    });
    for (std::size_t const one : sums) all += one;
  }
  std::printf("%zu\n", all);
}
TEXT
# sanitized <name> <flag>...: races that are reported.
sanitized() {
  built "${compilers[0]}" "$@" -O1 -g -fsanitize=thread || return
  "$work/$1" >"$work/said" 2>&1
  races=$(grep -c 'WARNING: ThreadSanitizer: data race' "$work/said")
}
sanitized race-none && [ "$races" -ne 0 ] && fault "thread sanitizer, no race: $(head -n 30 "$work/said")"
sanitized race-planted -DPLANTED && [ "$races" -eq 0 ] && fault "thread sanitizer: a race is not reported"
finish
