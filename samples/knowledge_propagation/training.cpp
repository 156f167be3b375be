#include "training.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <gossip/clock/constant_time.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/flipped_labels.hpp>
#include <gossip/data/idx.hpp>
#include <gossip/exchange/buffered_gossip.hpp>
#include <gossip/model/zoo.hpp>
#include <gossip/observer/progress.hpp>
#include <gossip/optimizer/sgd.hpp>
#include <gossip/simulator/simulator.hpp>

namespace propagation {

namespace {

using gossip::node;

/// A graph that is there already.
struct given_graph {
  gossip::graph graph;
  gossip::graph build(std::uint64_t) const { return graph; }
};

/// Some of a pool, drawn without repetition; what is drawn comes to the front of the pool.
void draw(std::vector<std::uint32_t> &pool, std::size_t count, gossip::keyed_random &random,
          std::vector<std::uint32_t> &into) {
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(pool[i], pool[i + random.below(static_cast<std::uint32_t>(pool.size() - i))]);
    into.push_back(pool[i]);
  }
}

/// As many samples for every node: of seeds a share of the class, all others of the other classes.
gossip::partition shares(arguments const &a, network const &net, gossip::dataset const &set) {
  std::vector<std::uint32_t> rare, others;
  for (std::uint32_t i = 0; i < set.size(); ++i)
    (set.labels()[i] == a.rare ? rare : others).push_back(i);
  auto const of_class =
      static_cast<std::size_t>(std::llround(a.share * static_cast<double>(a.samples)));
  if (a.samples > others.size() || of_class > rare.size())
    throw gossip::input_error("--samples",
                              "at most " + std::to_string(others.size()) + ", and a seed at most " +
                                  std::to_string(rare.size()) + " of the class",
                              std::to_string(a.samples) + " and " + std::to_string(of_class));
  std::vector<std::vector<std::uint32_t>> lists(net.nodes());
  for (node const i : net.seeds) {
    gossip::keyed_random random(a.seed, gossip::purpose::user, i, 1);
    draw(rare, of_class, random, lists[i]);
  }
  for (node i = 0; i < net.nodes(); ++i) {
    gossip::keyed_random random(a.seed, gossip::purpose::user, i, 2);
    draw(others, a.samples - lists[i].size(), random, lists[i]);
  }
  return gossip::joined_lists(lists);
}

/// Keeps what was measured.
struct history {
  arguments const *options;
  std::size_t nodes;
  double tick_nanoseconds;
  gossip::class_scores const *scores;
  std::vector<observation> *all;

  void take(gossip::record const &r) const {
    observation seen{.record = r,
                     .tick = static_cast<double>(r.mark.time.count()) / tick_nanoseconds};
    for (std::size_t i = 0; i < nodes; ++i) {
      std::size_t const k = scores->nodes.size() == 1 ? 0 : i;  // all have one model at the start
      gossip::evaluation const mean = scores->mean(k);
      seen.rare.push_back(scores->accuracy(k, options->rare));
      seen.all.push_back(mean.correct);
      seen.loss.push_back(mean.loss);
    }
    all->push_back(std::move(seen));
  }
};

template <class Model>
training train(Model const &model, arguments const &a, network const &net) {
  auto const [images, test] =
      a.data.empty() ? gossip::digits(GOSSIP_DIGITS) : gossip::mnist(a.data);
  gossip::given_partition const given{shares(a, net, images)};
  gossip::buffered_gossip const exchange{.keep = a.keep};
  gossip::simulator simulated{given_graph{net.graph}, model,
                              gossip::sgd{.rate = a.rate, .momentum = a.momentum}, exchange,
                              gossip::virtual_clock<gossip::constant_time>{}};

  // In the mean a node trains every ten ticks, so that so many trainings of the network are a tick.
  double const interval = 0.5 * (exchange.least + exchange.most);
  double const a_tick = static_cast<double>(net.nodes()) / interval;
  double const rounds = std::ceil(static_cast<double>(a.ticks) / interval);
  double const trainings = a_tick * static_cast<double>(a.observe);
  double const period =
      trainings * static_cast<double>(a.batch) / static_cast<double>(images.size());

  training done;
  gossip::class_scores scores;
  done.report = simulated.run(
      {.seed = a.seed,
       .batch = a.batch,
       .stop = gossip::rounds{static_cast<std::uint64_t>(rounds)}},
      gossip::split(images, given),
      gossip::every(gossip::epochs{period},
                    gossip::class_accuracy{test, {.samples = a.test_samples}, &scores},
                    history{&a, net.nodes(), static_cast<double>(exchange.tick.count()), &scores,
                            &done.history}),
      gossip::progress{});
  return done;
}

}  // namespace

training train(arguments const &a, network const &net) {
  if (a.model == "lenet5") return train(gossip::lenet5{}, a, net);
  return train(gossip::softmax_regression{}, a, net);
}

}  // namespace propagation
