// X <- W X in place through the engine: 1,000 rows of LeNet-5 on a random 8-regular graph.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <gossip/gossip.hpp>

#include "figures.hpp"
#include "limits.hpp"
#include "one_mixing.hpp"

int main(int argc, char **argv) {
  using namespace gossip;
  bench::arguments const given(argc, argv);
  bench::figures results(given);
  std::size_t const nodes = given.quick ? 200 : 1000;
  bench::one_mixing<lenet5::parameters> mix(random_regular{.nodes = nodes, .degree = 8}.build(1));

  bench::copier const copies;
  double copy = copies.plain();
  std::vector<float> mean(lenet5::parameters);
  double distance = 0;
  auto const look = [&] {
    network_mean(mix.rows(), mix.cores(), mean.data());
    distance = mean_squared_distance(mix.rows(), mix.cores(), mean.data(), 0, mean.size());
  };
  look();
  double mixing = 1e300, looking = 1e300;
  for (int turn = 0; turn < 5; ++turn) {
    mixing = std::min(mixing, mix.step());
    looking = std::min(looking, bench::least_seconds(1, look));
  }
  double const rate = mix.bytes() / mixing;
  copy = std::max(copy, copies.plain());
  results.add("nodes", static_cast<double>(nodes), "");
  results.add("mixing", rate * 1e-9, "GB/s");
  results.add("copy.plain", copy * 1e-9, "GB/s");
  results.add("of_copy", 100 * rate / copy, "%");
  results.add("metrics", 100 * looking / mixing,
              "% of a mixing step: mean model and consensus distance");
  results.add("consensus_distance", distance, "");
  return 0;
}
