// Runs that gossip-simulate has no field for, a line of results each: rows of doubles, rows of 16
// bits, an exchange that pulls. compare_digests.sh compiles it with the headers of either commit.
#include <cstdint>
#include <cstdio>

#include <gossip/gossip.hpp>

namespace {

/// Every other step takes a quarter of a random neighbour's model.
struct pull {
  struct node_state {
    std::uint64_t steps = 0;
  };

  void on_trained(auto &plan, gossip::node i) const {
    if (++plan.state(i).steps % 2 == 0 && plan.has_neighbor(i))
      plan.combine(i, plan.random_neighbor(i), 0.25);
    plan.step(i);
    plan.train(i);
  }
};

void print(char const *name, gossip::run_report const &r) {
  std::printf("%s\t%s\t%.17g\t%llu\t%llu\t%.17g\n", name, gossip::hex(r.digest).c_str(),
              r.virtual_seconds, static_cast<unsigned long long>(r.bytes_sent),
              static_cast<unsigned long long>(r.node_iterations), r.last.loss);
}

template <class Exchange, class Optimizer, class... Options>
void run(char const *name, Exchange const &exchange, Optimizer const &optimizer,
         Options... options) {
  static gossip::dataset const images =
      gossip::synthetic{.samples = 600, .shape = {.channels = 1, .height = 28, .width = 28}}
          .build();
  gossip::simulator network{gossip::random_regular{.nodes = 12, .degree = 3},
                            gossip::softmax_regression{}, optimizer, exchange, options...};
  print(name, network.run({.seed = 3, .batch = 20, .stop = gossip::rounds{20}},
                          gossip::split(images, gossip::iid{}),
                          gossip::every(gossip::rounds{5}, gossip::consensus_distance{})));
}

}  // namespace

int main() {
  using gossip::numbers;
  gossip::sgd const momentum{.rate = 2e-4, .momentum = 0.9, .weight_decay = 1e-3};
  gossip::adam const adam{.rate = 2e-4};
  run("double, ad_psgd", gossip::ad_psgd{}, momentum, numbers<double>{});
  run("double, d_psgd", gossip::d_psgd<>{}, adam, numbers<double>{});
  run("bf16 rows, ad_psgd", gossip::ad_psgd{}, adam, numbers<float, gossip::bf16>{});
  run("fp16 rows, d_psgd", gossip::d_psgd<>{}, momentum, numbers<float, gossip::fp16>{});
  run("fp16 rows, all_reduce", gossip::all_reduce{}, momentum, numbers<float, gossip::fp16>{});
  run("pull", pull{}, momentum);
}
