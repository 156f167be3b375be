// A million learners, each with a model of its own: softmax regression on digits of 14 x 14, 1,970
// parameters, AD-PSGD on a random 8-regular graph; 17 GB of memory, or less with fewer nodes.
// test: --nodes 3000 --rounds 4
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gossip/gossip.hpp>

#include "simulate/run_folder.hpp"

namespace {

constexpr char const *usage =
    "million_nodes [--nodes N] [--rounds R] [--seed S] [--out FOLDER [--overwrite]]\n"
    "  --nodes   number of learners, at least 9 (default 1000000)\n"
    "  --rounds  mean number of trainings of a learner (default 20)\n"
    "  --seed    seed of all random draws (default 1)\n"
    "  --out     new folder for config.json, metrics.jsonl and summary.json, the input of "
    "gossip-report\n";

using small_softmax = gossip::sequential<gossip::input<1, 14, 14>, gossip::dense<10>>;
static_assert(small_softmax::parameters == 1970);

/// Means of 2 x 2 pixels of images of 28 x 28, rounded.
gossip::dataset halved(gossip::dataset const &from) {
  constexpr std::size_t side = 28, half = side / 2;
  std::vector<std::uint8_t> pixels;
  pixels.reserve(from.size() * half * half);
  for (std::size_t image = 0; image < from.size(); ++image) {
    auto const whole = from.bytes()[image];
    for (std::size_t y = 0; y < side; y += 2)
      for (std::size_t x = 0; x < side; x += 2) {
        std::size_t const at = y * side + x;
        unsigned const sum = whole[at] + whole[at + 1] + whole[at + side] + whole[at + side + 1];
        pixels.push_back(static_cast<std::uint8_t>((sum + 2) / 4));
      }
  }
  return {from.name() + ", halved",
          {1, half, half},
          from.classes(),
          std::move(pixels),
          {from.labels().begin(), from.labels().end()},
          {from.scales().begin(), from.scales().end()}};
}

/// So many samples of each node's own, drawn with replacement: there are more nodes than samples.
struct drawn {
  std::size_t each = 4;

  gossip::partition assign(std::span<std::uint16_t const> labels, std::size_t, std::size_t nodes,
                           std::uint64_t seed) const {
    std::vector<std::uint32_t> samples;
    samples.reserve(nodes * each);
    for (gossip::node i = 0; i < nodes; ++i) {
      gossip::keyed_random random(seed, gossip::purpose::partition, i, 0);
      for (std::size_t k = 0; k < each; ++k)
        samples.push_back(random.below(static_cast<std::uint32_t>(labels.size())));
    }
    return gossip::cut_evenly(std::move(samples), nodes);
  }
};

struct options {
  std::size_t nodes = 1'000'000, rounds = 20;
  std::uint64_t seed = 1;
  std::string out;
  bool overwrite = false;
};

std::uint64_t number(char const *option, char const *word, std::uint64_t least) {
  char *end = nullptr;
  std::uint64_t const value = std::strtoull(word, &end, 10);
  if (*word < '0' || *word > '9' || *end != '\0' || value < least)
    throw gossip::input_error(option, "a whole number from " + std::to_string(least) + " on", word);
  return value;
}

options options_of(int argc, char **argv) {
  options chosen;
  for (int k = 1; k < argc; k += 2) {
    std::string const name = argv[k];
    if (name == "--overwrite") {
      chosen.overwrite = true;
      --k;
      continue;
    }
    if (name != "--nodes" && name != "--rounds" && name != "--seed" && name != "--out")
      throw gossip::input_error("million_nodes", "--nodes, --rounds, --seed, --out or --overwrite",
                                name);
    if (k + 1 == argc) throw gossip::input_error(name, "a value", "none");
    if (name == "--nodes") chosen.nodes = number(argv[k], argv[k + 1], 9);
    if (name == "--rounds") chosen.rounds = number(argv[k], argv[k + 1], 1);
    if (name == "--seed") chosen.seed = number(argv[k], argv[k + 1], 0);
    if (name == "--out") chosen.out = argv[k + 1];
  }
  return chosen;
}

/// Every observation as a line of the run's folder, where there is one.
struct written {
  simulate::run_folder *folder;
  simulate::json config;
  void begin(gossip::run_outline const &outline) const {
    if (!folder) return;
    folder->begin(config, {{"gossip", gossip::version}});
    folder->expect(outline);
  }
  void take(gossip::record const &r) const {
    if (folder) folder->take(r);
  }
};

/// Every observation as a line on the terminal.
struct shown {
  void take(gossip::record const &r) {
    std::printf("round %llu: %.1f s, accuracy %.4f (worst node %.4f), of the mean model %.4f\n",
                static_cast<unsigned long long>(r.mark.round), r.wall_seconds, r.accuracy->mean,
                r.accuracy->min, *r.averaged_model_accuracy);
    std::fflush(stdout);
  }
};

void run(options const &chosen) {
  auto const [train, test] = gossip::digits("samples/data/digits");
  gossip::dataset const small_train = halved(train), small_test = halved(test);
  gossip::simulator network{gossip::random_regular{.nodes = chosen.nodes, .degree = 8},
                            small_softmax{}, gossip::sgd{.rate = 0.1}, gossip::ad_psgd{}};
  gossip::run_settings const settings{
      .seed = chosen.seed, .batch = 4, .stop = gossip::rounds{chosen.rounds}};
  std::optional<simulate::run_folder> folder;
  if (!chosen.out.empty()) folder.emplace(chosen.out, chosen.overwrite);
  simulate::json const config{{"name", "a million learners"},
                              {"nodes", chosen.nodes},
                              {"rounds", chosen.rounds},
                              {"seed", chosen.seed}};
  auto const report = network.run(
      settings, gossip::split(small_train, drawn{}),
      gossip::every(gossip::rounds{1},
                    gossip::accuracy{small_test, {.nodes = 1000, .samples = 500}},
                    gossip::consensus_distance{}, written{folder ? &*folder : nullptr, config},
                    shown{}, gossip::progress{}));
  if (folder) folder->finish(report);
  std::cout << report;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::cout << usage;
    return 0;
  }
  try {
    run(options_of(argc, argv));
  } catch (std::exception const &fault) {
    std::cerr << "million_nodes: " << fault.what() << '\n';
    return 1;
  }
  return 0;
}
