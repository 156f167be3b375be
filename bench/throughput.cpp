// Networks of a hundred small models on a random 8-regular graph, D-PSGD and AD-PSGD, batch 64.
#include <string>

#include <gossip/gossip.hpp>

#include "whole_run.hpp"

namespace gossip::bench {

template <class Model>
void measure_exchanges(setting const &all, std::string const &model) {
  constexpr network_size hundred{random_regular{.nodes = 100, .degree = 8}, 64};
  measure<Model>(all, model + ".d_psgd", hundred, d_psgd{});
  measure<Model>(all, model + ".ad_psgd", hundred, ad_psgd{});
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  auto const [train, test] = gossip::digits("samples/data/digits");
  setting const all{given, results, train};
  measure_exchanges<gossip::lenet5>(all, "lenet5");
  measure_exchanges<gossip::mlp>(all, "mlp");
  measure_exchanges<gossip::softmax_regression>(all, "softmax_regression");
  return 0;
}
