// The time that a run waits for checkpoints that are written while it goes on, beside a parallel
// copy of as many bytes.
//
// The checkpoints lie in the working folder, which must be on a disk: 13 GB for rows of 4 GiB. The
// run needs 12 GiB of memory.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <gossip/gossip.hpp>
#include <gossip/observer/checkpoints.hpp>

#include "figures.hpp"
#include "seconds.hpp"

namespace gossip::bench {

constexpr std::size_t windows_of_period = 2, rounds_of_window = 4, periods = 8;

/// Seconds of all checkpoints but the first, which fetches the memory of the copy.
struct window_seconds {
  std::vector<double> stalls, writes, copies;
  double first = 0;
};

/// Stands before the checkpoints.
struct stamp {
  clock_type::time_point *at;
  void window_ended(window_end const &) const { *at = clock_type::now(); }
};

/// Stands behind the checkpoints. Waits until the shard is written; then copies as many bytes.
struct beside_copy {
  std::string folder;
  clock_type::time_point const *begun;
  host_buffer<std::byte> *from, *to;
  window_seconds *seconds;

  void window_ended(window_end const &now) const {
    double const stall = seconds_since(*begun);
    if (now.windows % windows_of_period != 0) return;
    std::string const note = detail::checkpoint_folder(folder, now.windows) + "/shard-0-of-1.json";
    while (!std::filesystem::exists(note))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double const written = seconds_since(*begun);
    constexpr std::size_t piece = std::size_t{1} << 20;
    auto const copy = [&] {
      for (int twice = 0; twice < 2; ++twice)
        cpu{}.for_each(from->bytes() / piece, [&](std::size_t, std::size_t k) {
          std::copy_n(from->data() + k * piece, piece, to->data() + k * piece);
        });
    };
    if (now.windows == windows_of_period) {
      copy();  // fresh memory here too
      seconds->first = stall;
      return;
    }
    auto const begin = clock_type::now();
    copy();
    seconds->copies.push_back(seconds_since(begin));
    seconds->stalls.push_back(stall);
    seconds->writes.push_back(written);
  }
};

template <std::size_t Numbers>
void measure(figures &results, std::size_t nodes) {
  std::string const folder = "bench_checkpoints";
  std::filesystem::remove_all(folder);
  simulator network{ring{nodes}, quadratic<Numbers>{.optimum = {0.0}, .start = 1.0},
                    sgd{.rate = 0.01, .momentum = 0.9}, d_psgd{}};
  constexpr std::size_t period = windows_of_period * rounds_of_window;
  std::size_t const bytes = nodes * 2 * Numbers * sizeof(float);
  host_buffer<std::byte> from(bytes / 2), to(bytes / 2);  // which is copied twice
  std::fill_n(from.data(), from.bytes(), std::byte{1});
  clock_type::time_point begun;
  window_seconds seconds;
  run_settings settings{.stop = rounds{periods * period}};
  settings.copy_of_state = true;
  auto const begin = clock_type::now();
  auto const report = network.run(settings, stamp{&begun}, checkpoints{folder, rounds{period}},
                                  beside_copy{folder, &begun, &from, &to, &seconds});
  double const whole = seconds_since(begin);
  std::filesystem::remove_all(folder);
  if (report.announced.copy == 0) throw error("there is no memory for a copy");
  double const gigabytes = static_cast<double>(bytes) * 1e-9;
  std::vector<double> ratios;
  for (std::size_t k = 0; k < seconds.stalls.size(); ++k)
    ratios.push_back(seconds.stalls[k] / seconds.copies[k]);
  results.add("rows", gigabytes, "GB");
  results.add("stall.first", seconds.first, "s");
  results.add("stall", median(seconds.stalls), "s");
  results.add("copy", median(seconds.copies), "s");
  results.add("stall_over_copy", median(ratios), "times");
  results.add("written", median(seconds.writes), "s");
  results.add("rate", gigabytes / median(seconds.writes), "GB/s");
  results.add("run", whole, "s");
  results.add("resident", static_cast<double>(report.peak_resident_bytes) * 1e-9, "GB");
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  constexpr std::size_t numbers = std::size_t{1} << 21;
  std::size_t const nodes = given.quick ? 16 : 256;
  try {
    measure<numbers>(results, nodes);
  } catch (std::exception const &e) {
    std::cerr << "checkpoints: " << e.what() << '\n';
    return 1;
  }
  return 0;
}
