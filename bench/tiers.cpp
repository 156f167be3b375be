// Networks whose rows lie on a disk: trainings a second beside those of a network in memory, and
// beside what the disk gives to plain reads and writes of the same blocks. Large networks whose
// rows lie in memory, beside single nodes.
//
// The rows lie in a file in the working folder, which must be on a disk: for 100,000 nodes 25 GB.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/fleet/file_store.hpp>
#include <gossip/fleet/row_store.hpp>
#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>

#include "figures.hpp"
#include "seconds.hpp"

namespace gossip::bench {

/// LeNet-5 of 61,706 parameters with momentum, rows in bf16.
template <class Exchange>
run_report run(Exchange const &exchange, std::size_t nodes, run_settings const &settings,
               dataset const &train) {
  simulator network{random_regular{.nodes = nodes, .degree = 8}, any_model(lenet5_classic{}),
                    sgd{.rate = 0.01, .momentum = 0.9}, exchange, numbers<float, bf16>{}};
  return network.run(settings, split(train, iid{}));
}

/// Bytes a second, each way, of regions of a file that are read and written back, three at a time.
double plain_rate(std::uint64_t bytes, std::size_t region) {
  file_store store(".", bytes);
  constexpr std::size_t at_once = 3;
  host_buffer<std::byte> memory(at_once * region);
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t next = 0;
  std::size_t working = 0;
  std::string failed;
  auto const turn = [&](auto const &again, std::size_t place) -> void {
    std::uint64_t at = 0;
    {
      std::lock_guard const lock(mutex);
      if (next + region > bytes || !failed.empty()) {
        --working;
        return changed.notify_all();
      }
      at = std::exchange(next, next + region);
    }
    std::span const own(memory.data() + place * region, region);
    store.begin({{false, at, own}}, [&, own, at, place](std::string const &unread) {
      store.begin({{true, at, own}}, [&, unread, place](std::string const &unwritten) {
        {
          std::lock_guard const lock(mutex);
          if (!unread.empty() || !unwritten.empty()) failed = unread + unwritten;
        }
        again(again, place);
      });
    });
  };
  auto const begin = clock_type::now();
  working = at_once;
  for (std::size_t k = 0; k < at_once; ++k) turn(turn, k);
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return working == 0; });
  if (!failed.empty()) throw error(failed);
  return static_cast<double>(next) / seconds_since(begin);
}

/// The peak of the resident memory counts from here on: see proc(5), clear_refs.
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

template <class Exchange>
void measure(figures &results, std::string const &name, Exchange const &exchange, bool quick) {
  std::size_t const nodes = quick ? 2'000 : 100'000, few = nodes / 8;
  std::size_t const region = std::size_t{64} << 20;
  dataset const train = synthetic{.samples = nodes, .shape = {1, 28, 28}}.build();
  run_settings settings{.seed = 1, .batch = 8, .stop = rounds{2}};
  forget_peak();
  run_report const small = run(exchange, few, settings, train);
  settings.memory = quick ? resident_bytes() + 250'000'000 : 6'000'000'000;
  auto const begin = clock_type::now();
  run_report const large = run(exchange, nodes, settings, train);
  double const total = seconds_since(begin);
  if (!large.tier) throw error("all rows fit into memory");
  tier_report const &tier = *large.tier;
  double const plain =
      plain_rate(std::min<std::uint64_t>(tier.bytes, quick ? 500'000'000 : 8'000'000'000), region);
  auto const trainings = static_cast<double>(large.node_iterations);
  double const moved = static_cast<double>(std::max(tier.read, tier.written)) / trainings;
  double const rate = trainings / large.wall_seconds;
  double const in_memory = small.node_iterations_per_second(), of_disk = plain / moved;
  auto const add = [&](char const *what, double value, char const *unit) {
    results.add(name + "." + what, value, unit);
  };
  add("nodes", static_cast<double>(nodes), "");
  add("rows", static_cast<double>(tier.bytes) * 1e-9, "GB");
  add("resident", static_cast<double>(large.peak_resident_bytes) * 1e-9, "GB");
  add("frames", static_cast<double>(tier.frames), "nodes");
  add("columns", static_cast<double>(tier.columns), "");
  add("rate", rate, "trainings/s");
  add("rate in memory", in_memory, "trainings/s");
  add("read", static_cast<double>(tier.read) / trainings * 1e-3, "kB a training");
  add("written", static_cast<double>(tier.written) / trainings * 1e-3, "kB a training");
  add("plain", plain * 1e-6, "MB/s each way");
  add("training", large.wall_seconds, "s");
  add("waiting", tier.waiting_seconds, "s");
  add("beside", total - large.wall_seconds, "s for first rows, digest and checks");
  add("of the bound", rate / std::min(in_memory, of_disk), "");
}

/// A network in D-PSGD whose rows lie in memory: its memory, and the seconds of its trainings over
/// those of as many trainings of one node alone.
template <class Row, class Model, class Optimizer>
void measure_in_memory(figures &results, std::string const &name, Model const &model,
                       Optimizer const &optimizer, sample_shape shape, std::size_t nodes,
                       std::uint64_t trainings_alone) {
  dataset const train = synthetic{.samples = nodes, .shape = shape}.build();
  run_settings settings{.seed = 1, .batch = 8, .stop = rounds{trainings_alone}};
  forget_peak();
  simulator alone{ring{.nodes = 1}, any_model(model), optimizer, none{}, numbers<float, Row>{}};
  run_report const one = alone.run(settings, split(train, iid{}));
  settings.stop = rounds{2};
  simulator network{random_regular{.nodes = nodes, .degree = 8}, any_model(model), optimizer,
                    d_psgd<>{}, numbers<float, Row>{}};
  run_report const all = network.run(settings, split(train, iid{}));
  auto const add = [&](char const *what, double value, char const *unit) {
    results.add(name + "." + what, value, unit);
  };
  add("nodes", static_cast<double>(nodes), "");
  add("rows", static_cast<double>(all.announced.rows) * 1e-9, "GB");
  add("resident", static_cast<double>(all.peak_resident_bytes) * 1e-9, "GB");
  add("rate", all.node_iterations_per_second(), "trainings/s");
  add("rate alone", one.node_iterations_per_second(), "trainings/s");
  add("of single ones", one.node_iterations_per_second() / all.node_iterations_per_second(),
      "times the seconds");
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  try {
    if (given.wants("d_psgd")) measure(results, "d_psgd", gossip::d_psgd<>{}, given.quick);
    if (given.wants("ad_psgd")) measure(results, "ad_psgd", gossip::ad_psgd{}, given.quick);
    if (given.wants("lenet5"))
      measure_in_memory<gossip::bf16>(results, "lenet5", gossip::lenet5{},
                                      gossip::sgd{.rate = 0.01, .momentum = 0.9}, {1, 28, 28},
                                      given.quick ? 200 : 10'000, 200);
    if (given.wants("resnet18"))
      measure_in_memory<float>(results, "resnet18", gossip::resnet18{}, gossip::adam{}, {3, 32, 32},
                               given.quick ? 10 : 50, 20);
  } catch (std::exception const &e) {
    std::cerr << "tiers: " << e.what() << '\n';
    return 1;
  }
  return 0;
}
