// X <- W X in place through the engine: 1,000 rows of LeNet-5 on a random 8-regular graph.
#include <algorithm>
#include <vector>

#include <gossip/gossip.hpp>

#include "figures.hpp"
#include "limits.hpp"

namespace gossip::bench {

/// A model that is nothing but its number of parameters: here nobody trains.
struct untrained {
  static constexpr std::size_t parameters = lenet5::parameters;
  template <class T>
  static constexpr std::size_t workspace_bytes(std::size_t) {
    return 64;
  }
  void gradient(auto &, auto const &) const {}
};

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip;
  bench::arguments const given(argc, argv);
  bench::figures results(given);
  std::size_t const nodes = given.quick ? 200 : 1000;
  using engine_type =
      levelled_engine<engine_types<float, float, openmp, bench::untrained, no_samples>>;
  openmp const cores;
  openmp::session const session;
  engine_type::fleet_type const rows(fleet_size{nodes, bench::untrained::parameters, 0, false});
  bench::untrained const model;
  engine_type engine({cores,
                      model,
                      rows,
                      arithmetic<float>(sgd{}, false),
                      1,
                      1,
                      bench::untrained::parameters,
                      0,
                      no_samples{},
                      {},
                      kernels<float>()});
  cores.for_each(nodes, [&](std::size_t, std::size_t i) {
    auto const row = rows.slot(0)[i];
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = static_cast<float>((i * 7919 + c) % 1000) * 1e-3f;
  });

  graph const network = random_regular{.nodes = nodes, .degree = 8}.build(1);
  mixing_matrix const weights = metropolis_hastings{}.weights(network);
  plan_window window;
  window.matrices.push_back(&weights);
  window.stream.push_back(
      {operation_kind::mix, false, 0, 0, 0, 0, {{0, false, true, true}}, 0.0, 0});
  window.sort_levels();
  auto const mix = [&] {
    engine.run(
        window, [](observation const &) {}, [] { return false; });
  };
  mix();

  double const bytes = 2.0 * static_cast<double>(nodes * bench::untrained::parameters) * 4;
  bench::copier const copies;
  double copy = copies.plain();
  std::vector<float> mean(bench::untrained::parameters);
  double distance = 0;
  auto const look = [&] {
    network_mean(rows, cores, mean.data());
    distance = mean_squared_distance(rows, cores, mean.data(), 0, mean.size());
  };
  look();
  double mixing = 1e300, looking = 1e300;
  for (int turn = 0; turn < 5; ++turn) {
    mixing = std::min(mixing, bench::least_seconds(1, mix));
    looking = std::min(looking, bench::least_seconds(1, look));
  }
  double const rate = bytes / mixing;
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
