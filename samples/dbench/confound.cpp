// E6d: a learning rate that grows with the degree, as in the reference's language model, and one
// rate for all graphs.
#include <algorithm>

#include "experiments.hpp"

namespace dbench {

namespace {

constexpr std::size_t learners = 24;
constexpr double base_rate = 0.6;  // times neighbours + 1: ring 1.8, torus 3, complete 14.4

std::uint64_t confound_rounds(bool quick) {
  return quick ? 30 : 150;
}

}  // namespace

double confound_work(bool quick) {
  return static_cast<double>(6 * learners * confound_rounds(quick));
}

void confound(bool quick, digits_data const &data, results &to, progress_lines &progress) {
  std::array<double, 3> scaled{}, same{};
  for (std::size_t g = 0; g < 3; ++g)
    for (bool const scales : {true, false}) {
      gossip::graph const network = graph_of(graph_names[g], learners);
      double const rate = base_rate * (scales ? static_cast<double>(network.degree(0) + 1) : 3.0);
      trained const t = train({.network = network,
                               .nodes = learners,
                               .rounds = confound_rounds(quick),
                               .constant = rate,
                               .look_every = confound_rounds(quick)},
                              data);
      (scales ? scaled : same)[g] = t.loss;
      std::string const kind = scales ? "scaled_rate" : "one_rate";
      to.numbers.push_back({"e6d", graph_names[g], learners, 1, "test_loss_" + kind, 0, t.loss});
      to.numbers.push_back(
          {"e6d", graph_names[g], learners, 1, "accuracy_percent_" + kind, 0, t.accuracy});
      progress.done(static_cast<double>(learners * confound_rounds(quick)),
                    std::string("e6d ") + graph_names[g] + ", " + kind);
    }
  auto const three = [](std::array<double, 3> const &of) {
    return text("%.4f", of[0]) + "/" + text("%.4f", of[1]) + "/" + text("%.4f", of[2]);
  };
  to.findings.push_back({"F7",
                         "test loss with the rate times neighbors + 1: torus < ring < complete, "
                         "whose rate is too high",
                         "perplexity ring/torus/complete 141.3/106.6/788", three(scaled),
                         scaled[1] < scaled[0] && scaled[0] < scaled[2]});
  to.findings.push_back({"F7",
                         "an effect of the rate: with the ring's rate for all, complete is not "
                         "the worst",
                         "none", three(same), same[2] < std::max(same[0], same[1])});
}

}  // namespace dbench
