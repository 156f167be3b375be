// Time per epoch when one learner is slow, measured: the shape of Table 2 of W. Zhang, X. Lian,
// C. Zhang, J. Liu, "Decentralized distributed deep learning" (16 learners, ResNet-20, CIFAR-10),
// by learners that sleep and by learners that train LeNet-5 on digits.
//
//   mpirun -n 8 live_stragglers [chart.svg [quick]]
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include <gossip/model/zoo.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "drawing/line_chart.hpp"
#include "live/job.hpp"
#include "live/start.hpp"

namespace live_sample {

namespace {

struct contender {
  method how;
  char const *name, *color;
  double published[4];  // speed-up over the 16 learners of the paper, at 1, 2, 10, 100
};

std::vector<contender> const contenders{
    {gossip::all_reduce{}, "all-reduce", "#c0392b", {12.27, 6.93, 1.56, 0.18}},
    {gossip::d_psgd<>{}, "D-PSGD", "#2980b9", {12.44, 7.64, 1.60, 0.18}},
    {gossip::ad_psgd{}, "AD-PSGD", "#27ae60", {14.78, 14.09, 13.56, 13.56}}};
constexpr double factors[4] = {1, 2, 10, 100};

/// Rank 0 is slow. Few rounds where a round is long: a synchronous one waits for the slow learner.
gossip::live::report measure(gossip::mpi_ranks const &mpi, contender const &c, double factor,
                             bool sleeping, bool quick, sets const &data,
                             std::optional<double> &alone) {
  std::size_t const n = mpi.size();
  bool const waits = !std::holds_alternative<gossip::ad_psgd>(c.how);
  double const full = quick ? 8 : 40;
  double const rounds = waits ? std::max(2.0, std::floor(full / std::sqrt(factor) / 1.5)) : full;
  job j{c.how, even_odd(n), {gossip::sgd{.rate = 0.02, .momentum = 0.9}}, {.batch = 32}};
  if (n % 2 == 0) j.network = gossip::ring{n}.build();
  j.options.epochs = rounds * static_cast<double>(n) * j.options.epoch(data.first.size()).after(1);
  j.options.slow = {{.which = 0, .factor = factor}};
  if (sleeping)
    j.options.simulated = gossip::lognormal_time{.mean = std::chrono::milliseconds(25), .cv = 0.1};
  j.options.seconds_alone = alone;
  auto report = run<gossip::lenet5>(mpi, j, data);
  alone = report.alone_seconds_per_epoch / report.iterations_per_epoch;  // measured once
  return report;
}

void table(gossip::mpi_ranks const &mpi, sets const &data, bool sleeping, bool quick,
           drawing::line_chart *picture) {
  std::size_t const n = mpi.size();
  bool const prints = mpi.rank() == 0;
  if (prints)
    std::printf("\n%zu learners that %s\n%-12s%10s%14s%12s%14s%12s\n", n,
                sleeping ? "sleep 25 ms per gradient" : "train LeNet-5 on a shared processor", "",
                "slow-down", "s per epoch", "speed-up", "per learner", "published");
  std::optional<double> alone;
  for (contender const &c : contenders) {
    drawing::curve measured{.name = c.name, .color = c.color, .points = {}};
    for (std::size_t k = 0; k < (sleeping ? 4U : 3U); ++k) {
      auto const report = measure(mpi, c, factors[k], sleeping, quick, data, alone);
      if (!prints) continue;
      double const speed_up = report.speed_up();
      std::printf("%-12s%9.0fx%14.3f%12.3f%14.3f%12.3f\n", k == 0 ? c.name : "", factors[k],
                  report.seconds_per_epoch(), speed_up, speed_up / static_cast<double>(n),
                  c.published[k] / 16);
      measured.points.emplace_back(factors[k], speed_up);
    }
    std::fflush(stdout);
    if (picture) picture->add(measured);
  }
}

int compare(gossip::mpi_ranks const &mpi, std::span<char const *const> words) {
  std::optional<sets> data;
  bool const ready = prepared(mpi, "live_stragglers", [&] {
    if (words.size() > 2 || (words.size() == 2 && std::string(words[1]) != "quick"))
      throw gossip::input_error("live_stragglers", "at most a file for the chart and 'quick'",
                                std::to_string(words.size()) + " arguments");
    if (mpi.size() < 2)
      throw gossip::input_error("live_stragglers", "at least 2 ranks, as in mpirun -n 8", "1");
    data = gossip::digits(digits_folder(""));
  });
  if (!ready) return 2;
  bool const quick = words.size() == 2;
  double const n = static_cast<double>(mpi.size());
  drawing::line_chart picture("Speed-up with one slow learner of " + std::to_string(mpi.size()),
                              {.title = "slow-down of one learner", .logarithmic = true},
                              {.title = "speed-up over one learner alone", .logarithmic = true});
  table(mpi, *data, true, quick, &picture);
  table(mpi, *data, false, quick, nullptr);
  if (mpi.rank() > 0) return 0;
  drawing::curve waiting{.name = "n / k: all wait", .color = "#999", .points = {}};
  drawing::curve alone{.name = "n - 1 + 1 / k", .color = "#333", .points = {}};
  for (auto *const law : {&waiting, &alone}) law->dashes = "5 4", law->marks = false;
  for (double const k : factors) {
    waiting.points.emplace_back(k, n / k);
    alone.points.emplace_back(k, n - 1 + 1 / k);
  }
  picture.add(waiting);
  picture.add(alone);
  std::string const path = words.empty() ? "live_stragglers.svg" : words[0];
  drawing::write(picture, path);
  std::printf(
      "\n'per learner' and 'published' are the speed-up divided by the number of learners\n%s\n",
      path.c_str());
  return 0;
}

}  // namespace

}  // namespace live_sample

int main(int count, char **words) {
  return live_sample::start("live_stragglers", count, words, live_sample::compare);
}
