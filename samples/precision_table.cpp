// Four learners and a server: what SGD on one machine, SGD of the mean gradient and federated
// averaging send and learn, with numbers of 32 and of 16 bits.
// test: 1
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/synchronous_server.hpp>
#include <gossip/gossip.hpp>
#include <gossip/model/resnet.hpp>
#include <gossip/simulator/any_exchange.hpp>

/// A scheme of training; an epoch is a pass of all learners together.
struct scheme {
  gossip::any_exchange exchange;
  std::size_t learners, batch;
};

/// Gigabytes of an epoch by the plan, which trains nothing: ResNet-18 on 50,000 samples.
template <class Row>
double gigabytes(scheme const &of) {
  gossip::simulator network{gossip::complete{of.learners}, gossip::resnet18{}, gossip::sgd{},
                            of.exchange, gossip::numbers<float, Row>{}};
  auto const plan = network.dry_run({.batch = of.batch, .stop = gossip::epochs{1}}, {50'000});
  return static_cast<double>(plan.bytes_sent) / plan.epochs * 1e-9;
}

/// Percent of test digits that the server's model, or that of the one learner, tells apart.
template <class Row>
double accuracy(scheme const &of, gossip::dataset const &train, gossip::dataset const &test,
                double epochs) {
  gossip::simulator network{gossip::complete{of.learners}, gossip::mlp{},
                            gossip::sgd{.rate = 0.1, .momentum = 0.9, .weight_decay = 1e-4},
                            of.exchange, gossip::numbers<float, Row>{}};
  auto const report = network.run({.seed = 1, .batch = of.batch, .stop = gossip::epochs{epochs}},
                                  gossip::split(train, gossip::iid{}), gossip::accuracy{test});
  return 100 * report.last.accuracy->mean;
}

int main(int argc, char **argv) {
  double const epochs = argc > 1 ? std::atof(argv[1]) : 20;
  auto const data = gossip::digits("samples/data/digits");
  // Published: GB of a learner with 32 bits; H. Cheng, "Performance comparison of distributed
  // machine learning with different communication overheads", 2020.
  auto const table = [&](std::string const &name, char const *published, scheme const &sends,
                         scheme const &learns) {
    double const users = 2.0 * static_cast<double>(sends.learners);  // who send there and back
    double const all = gigabytes<float>(sends), half = gigabytes<gossip::fp16>(sends);
    std::cout << std::left << std::setw(22) << name << std::right << std::fixed
              << std::setprecision(3) << std::setw(9) << all << std::setw(9) << half
              << std::setw(11) << published << std::setw(9) << all / users << std::setw(9)
              << half / users << std::setprecision(2) << std::setw(9)
              << accuracy<float>(learns, data.first, data.second, epochs) << std::setw(9)
              << accuracy<gossip::fp16>(learns, data.first, data.second, epochs) << '\n';
  };
  std::cout
      << "                        all messages, GB            a learner's, GB       accuracy, %\n"
         "an epoch of                fp32     fp16  published     fp32     fp16     fp32     "
         "fp16\n";
  // A server has no statistics of ResNet-18's batches to be evaluated with; bytes are the same.
  gossip::synchronous_server const server{};
  gossip::synchronous_server const sends{.evaluated = gossip::evaluated_models::nodes};
  table("C-SGD, batch 256", "0", {gossip::none{}, 1, 256}, {gossip::none{}, 1, 256});
  table("D-SGD, batch 4 x 64", "8.6", {sends, 4, 64}, {server, 4, 64});
  table("D-SGD, batch 4 x 512", "1.1", {sends, 4, 512}, {server, 4, 512});
  table("FL, batch 256", "0.044", {gossip::fed_avg{.local_steps = 49}, 4, 256},
        {gossip::fed_avg{.local_steps = 8}, 4, 256});
  return 0;
}
