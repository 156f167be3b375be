// Time per epoch when one of 16 learners is slow: Table 2 of W. Zhang, X. Lian, C. Zhang, J. Liu,
// "Decentralized distributed deep learning" (ResNet-20, CIFAR-10), published and predicted by the
// virtual clock side by side; and its Figure 2, VGG, whose messages are large. With
// --train perceptrons learn digits on a healthy cluster and on one
// with a learner ten times slower: accuracy against virtual time.
// test:
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gossip/exchange/overlapped_ad_psgd.hpp>
#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>
#include <gossip/simulator/any_exchange.hpp>

namespace {

constexpr std::size_t learners = 16;
constexpr double sequential_epoch = 18.04;  // seconds, published: one learner alone
constexpr std::array<double, 6> factors{1, 2, 10, 100, 1000, 10000};

/// A method, its link, and what was published. Trainings take 18.04 s / (50,000 / 32) in the mean,
/// with a coefficient of variation of 0.1, which was guessed; the bandwidth of each method was
/// fitted to its first row alone, the latency to nothing.
struct contender {
  char const *name;
  gossip::any_exchange exchange;
  gossip::link network;
  std::array<double, 6> published;  // seconds an epoch; those of the last two are lower bounds,
                                    // but for AD-PSGD
};

std::vector<contender> contenders() {
  using std::chrono::microseconds;
  gossip::d_psgd<> const in_turns{.order = gossip::mixing_order::adapt_then_combine,
                                  .wait = gossip::barrier::global};
  return {
      {"AD-PSGD",
       gossip::ad_psgd{},
       {microseconds(25), 1.17e9},
       {1.22, 1.28, 1.33, 1.33, 1.33, 1.33}},
      {"all-reduce",
       gossip::all_reduce{},
       {microseconds(25), 2.8e9},
       {1.47, 2.60, 11.51, 100.4, 1000, 10000}},
      {"D-PSGD", in_turns, {microseconds(25), 1.77e9}, {1.45, 2.36, 11.24, 100.4, 1000, 10000}}};
}

/// training: seconds that a batch takes in the mean.
auto cluster(gossip::link const &network, double factor,
             double training_seconds = sequential_epoch / (50000.0 / 32)) {
  gossip::virtual_time const training(static_cast<std::int64_t>(1e9 * training_seconds));
  return gossip::virtual_clock<gossip::lognormal_time>{.compute = {.mean = training, .cv = 0.1},
                                                       .network = network,
                                                       .slow = {{.which = 0, .factor = factor}}};
}

/// Virtual seconds of an epoch, once the run is steady.
double predicted(contender const &method, double factor) {
  gossip::simulator const network{gossip::ring{learners}, gossip::resnet20{},
                                  gossip::sgd{.rate = 0.1}, method.exchange,
                                  cluster(method.network, factor)};
  return network.dry_run({.batch = 32, .stop = gossip::epochs{8}}, {.samples = 50000})
      .epoch_seconds;
}

void table() {
  std::printf("%zu learners, ResNet-20, batches of 32; one learner slower by a factor\n\n",
              learners);
  std::printf("%-12s%8s%12s%12s%12s%12s%12s\n", "method", "factor", "published", "predicted",
              "deviation", "published", "predicted");
  std::printf("%-12s%8s%12s%12s%12s%12s%12s\n", "", "", "s / epoch", "s / epoch", "", "speed-up",
              "speed-up");
  for (contender const &method : contenders())
    for (std::size_t k = 0; k < factors.size(); ++k) {
      double const seconds = predicted(method, factors[k]), known = method.published[k];
      bool const bound = k >= 4 && method.published[k] > 2;
      char deviation[16] = "";
      if (!bound)
        std::snprintf(deviation, sizeof deviation, "%+.1f %%", 100 * (seconds / known - 1));
      std::printf("%-12s%8g%s%*.2f%12.2f%12s%s%*.3f%12.4f\n", method.name, factors[k],
                  bound ? "   >" : "    ", 8, known, seconds, deviation, bound ? "   <" : "    ", 8,
                  sequential_epoch / known, sequential_epoch / seconds);
    }
}

/// Figure 2: a model of 60 MB, batches of 128, 13.60 s an epoch of one learner alone; AD-PSGD runs
/// twice as fast as all-reduce, and 20 % faster than D-PSGD. Nothing is fitted to it: the link is
/// the one that was fitted to the first row of all-reduce in Table 2. Averages of AD-PSGD and
/// mixtures of D-PSGD travel beside trainings, as the authors have it.
void ratios() {
  gossip::link const network = contenders()[1].network;
  auto const seconds = [&](gossip::any_exchange const &exchange) {
    auto const clock = cluster(network, 1, 13.60 / (50000.0 / 128));
    gossip::simulator const simulated{gossip::ring{learners}, gossip::quadratic<15'000'000>{},
                                      gossip::sgd{}, exchange, clock};  // 60 MB of parameters
    double const round = simulated.dry_run({.stop = gossip::rounds{1000}}, {}).epoch_seconds;
    return round * 50000 / 128 / learners;  // a quadratic's epoch is a round
  };
  double const asynchronous = seconds(gossip::overlapped_ad_psgd{});
  std::printf("\n%zu learners, VGG (60 MB), batches of 128\n\n%-26s%12s%12s%12s\n", learners,
              "seconds an epoch", "published", "predicted", "deviation");
  std::printf("%-26s%12s%12.2f\n", "AD-PSGD", "", asynchronous);
  auto const line = [&](char const *name, double published, gossip::any_exchange const &exchange) {
    double const ratio = seconds(exchange) / asynchronous;
    std::printf("%-26s%12.2f%12.2f%+10.1f %%\n", name, published, ratio,
                100 * (ratio / published - 1));
  };
  line("all-reduce / AD-PSGD", 2.0, gossip::all_reduce{});
  line("D-PSGD / AD-PSGD", 1.2, gossip::d_psgd<>{});
}

/// Writes down when which accuracy was reached.
struct history {
  std::vector<gossip::record> *all;
  void take(gossip::record const &r) { all->push_back(r); }
};

void train() {
  auto const [images, test] = gossip::digits("samples/data/digits");
  for (contender const &method : contenders()) {
    std::vector<gossip::record> healthy, straggling;
    for (auto *const all : {&healthy, &straggling}) {
      gossip::simulator network{gossip::ring{learners}, gossip::mlp{},
                                gossip::sgd{.rate = 0.1, .momentum = 0.9}, method.exchange,
                                cluster(method.network, all == &healthy ? 1.0 : 10.0)};
      network.run(
          {.seed = 1, .batch = 32, .stop = gossip::epochs{10}},
          gossip::split(images, gossip::iid{}),
          gossip::every(gossip::epochs{2}, gossip::accuracy{test, {.nodes = 4, .samples = 500}},
                        history{all}));
    }
    std::printf("\n%-12s%18s%22s\n%8s%12s%12s%12s%12s\n", method.name, "healthy cluster",
                "one 10 times slower", "epoch", "virtual s", "accuracy", "virtual s", "accuracy");
    for (std::size_t k = 0; k < healthy.size() && k < straggling.size(); ++k)
      std::printf("%8.1f%12.2f%12.3f%12.2f%12.3f\n", healthy[k].mark.epoch,
                  static_cast<double>(healthy[k].mark.time.count()) * 1e-9,
                  healthy[k].accuracy->mean,
                  static_cast<double>(straggling[k].mark.time.count()) * 1e-9,
                  straggling[k].accuracy->mean);
  }
}

}  // namespace

int main(int argc, char **argv) {
  table();
  ratios();
  if (argc > 1 && std::strcmp(argv[1], "--train") == 0) train();
  return 0;
}
