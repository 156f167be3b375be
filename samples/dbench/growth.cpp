// E6b: how far the norms of replicas come apart, by graph and size, while perceptrons learn.
#include <algorithm>
#include <cmath>
#include <map>

#include "experiments.hpp"

namespace dbench {

namespace {

struct size_and_seeds {
  std::size_t nodes, seeds;
};

std::vector<size_and_seeds> growth_sizes(bool quick) {
  if (quick) return {{12, 1}};
  return {{12, 3}, {24, 3}, {48, 2}, {96, 1}};
}
std::uint64_t growth_rounds(bool quick) {
  return quick ? 40 : 300;
}

/// Of one graph and size, over its seeds.
struct summary {
  std::vector<double> first, peak, peak_round, early, late, end, accuracy, averaged;
  std::vector<double> left;  // by averaging, of the Gini before it: medians of a run
};
using summaries = std::map<std::pair<std::size_t, std::size_t>, summary>;  // by size and graph

/// The median of rounds from nominal epoch `begin` on, before `end`.
double median_of(trained const &t, double begin, double end) {
  std::vector<double> values;
  for (std::size_t k = 0; k < t.rounds.size(); ++k) {
    double const epoch = static_cast<double>(t.rounds[k]) / one_cycle::nominal_rounds;
    if (epoch > begin && epoch <= end) values.push_back(t.first_gini[k]);
  }
  return median(std::move(values));
}

void add(summary &to, trained const &t) {
  auto const largest = std::ranges::max_element(t.first_gini);
  to.first.push_back(t.first_gini.front());
  to.peak.push_back(*largest);
  to.peak_round.push_back(
      static_cast<double>(t.rounds[static_cast<std::size_t>(largest - t.first_gini.begin())]));
  to.early.push_back(median_of(t, 2, 10));
  to.late.push_back(median_of(t, 10, 60));
  std::size_t const few = std::min<std::size_t>(5, t.first_gini.size());
  to.end.push_back(
      median({t.first_gini.end() - static_cast<std::ptrdiff_t>(few), t.first_gini.end()}));
  to.accuracy.push_back(t.accuracy);
  to.averaged.push_back(t.averaged_accuracy);
  if (t.averaged_gini.empty()) return;
  std::vector<double> left;
  for (std::size_t k = 0; k < t.rounds.size(); ++k)
    left.push_back(t.averaged_gini[k] / t.first_gini[k]);
  to.left.push_back(median(std::move(left)));
}

void record_run(trained const &t, std::string const &graph, std::size_t nodes, std::uint64_t seed,
                results &to) {
  for (std::size_t k = 0; k < t.rounds.size(); ++k) {
    auto const at = static_cast<double>(t.rounds[k]);
    to.numbers.push_back({"e6b", graph, nodes, seed, "gini_first_weights", at, t.first_gini[k]});
    to.numbers.push_back({"e6b", graph, nodes, seed, "gini_last_weights", at, t.last_gini[k]});
    if (!t.averaged_gini.empty())
      to.numbers.push_back({"e6b", graph, nodes, seed, "gini_first_weights_after_averaging", at,
                            t.averaged_gini[k]});
  }
  to.numbers.push_back({"e6b", graph, nodes, seed, "accuracy_percent", 0, t.accuracy});
  to.numbers.push_back(
      {"e6b", graph, nodes, seed, "averaged_model_accuracy_percent", 0, t.averaged_accuracy});
}

drawing::curve curve_of(trained const &t, std::size_t g) {
  drawing::curve line{.name = graph_names[g], .color = colors[g], .points = {}};
  line.marks = false;
  for (std::size_t k = 0; k < t.rounds.size(); ++k)
    line.points.emplace_back(static_cast<double>(t.rounds[k]), t.first_gini[k]);
  return line;
}

/// How the Gini of one run follows its rate, as a power, from nominal epoch 12 on.
double power_of_rate(trained const &t, std::vector<double> const &gini) {
  std::vector<double> rates, values;
  for (std::size_t k = 0; k < t.rounds.size(); ++k)
    if (t.rounds[k] > 12 * one_cycle::nominal_rounds && gini[k] > 0) {
      rates.push_back(std::log(t.rates[k]));
      values.push_back(std::log(gini[k]));
    }
  return rates.size() < 10 ? 0 : slope(rates, values);
}

/// "12: a / b / c; 24: ..." of ring, torus and complete.
template <class F>
std::string by_size(std::vector<size_and_seeds> const &all, char const *form, F value) {
  std::string line;
  for (auto const &[nodes, seeds] : all) {
    line += line.empty() ? "" : "; ";
    line += std::to_string(nodes) + ": ";
    for (std::size_t g = 0; g < 3; ++g) {
      line += g > 0 ? "/" : "";
      line += text(form, value(nodes, g));
    }
  }
  return line;
}

void order(std::vector<size_and_seeds> const &all, summaries const &of, bool whole, results &to) {
  auto const value = [&](auto member) {
    return [&of, member](std::size_t n, std::size_t g) { return mean(of.at({n, g}).*member); };
  };
  auto const first = value(&summary::first), early = value(&summary::early),
             late = value(&summary::late), peak = value(&summary::peak), end = value(&summary::end);
  double least = 1, most = 0;
  bool ordered = true, widens = true;
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::size_t const n = all[s].nodes;
    for (std::size_t g = 0; g < 3; ++g)
      least = std::min(least, first(n, g)), most = std::max(most, first(n, g));
    ordered = ordered && early(n, 0) > early(n, 1) && early(n, 1) > early(n, 2) &&
              late(n, 0) > late(n, 1) && late(n, 1) > late(n, 2);
    if (s == 0) continue;
    std::size_t const before = all[s - 1].nodes;
    widens = widens && peak(n, 0) / peak(n, 2) > peak(before, 0) / peak(before, 2) &&
             end(n, 0) / end(n, 1) > end(before, 0) / end(before, 1);
  }
  to.findings.push_back({"F1",
                         "at the first iteration Gini depends on neither graph nor size (within "
                         "30 % of the middle)",
                         "3.3e-4 to 4.9e-4", by_size(all, "%.2e", first),
                         most - least < 0.6 * (most + least) / 2});
  std::size_t const n = all.front().nodes;
  auto const left = value(&summary::left);
  to.findings.push_back(
      {"E2", "averaging takes more of the dispersion the denser the graph, on complete all of it",
       "none: the series are from before averaging",
       "left of Gini at " + std::to_string(n) + ": " + text("%.3f", left(n, 0)) + "/" +
           text("%.3f", left(n, 1)) + "/" + text("%.1e", left(n, 2)),
       left(n, 0) < 1 && left(n, 1) < left(n, 0) && left(n, 2) < 1e-6});
  if (!whole) return;
  to.findings.push_back({"F2",
                         "then ring > torus > complete at every size (medians of nominal epochs "
                         "2 to 10, and 10 to 60)",
                         "96, epochs 6 to 23: 0.057/0.0125/7.4e-4",
                         by_size(all, "%.2e", early) + "; later " + by_size(all, "%.2e", late),
                         ordered});
  to.findings.push_back(
      {"F2", "and the gaps widen with the size (maximum ring/complete, end ring/torus)",
       "maximum of the ring x2.0, 2.3, 3.6 a doubling; end ring/torus 1 at 12, "
       "6e4 at 96",
       "maxima " + by_size(all, "%.2e", peak) + "; end " + by_size(all, "%.2e", end), widens});
}

void peaks(std::vector<size_and_seeds> const &all, summaries const &of, trained const &complete,
           results &to) {
  bool early = true, falls = true;
  auto const at = [&](std::size_t n, std::size_t g) {
    return mean(of.at({n, g}).peak_round) / static_cast<double>(one_cycle::nominal_rounds);
  };
  for (auto const &[nodes, seeds] : all)
    for (std::size_t g = 0; g < 3; ++g) {
      early = early && at(nodes, g) <= one_cycle::down;
      if (g > 0) falls = falls && mean(of.at({nodes, g}).end) < 0.1 * mean(of.at({nodes, g}).peak);
    }
  to.findings.push_back({"F3",
                         "an early peak (while the rate is high), then a fall, by ten and more on "
                         "torus and complete",
                         "peak within epochs 2 to 6 of 300, rate highest at 23",
                         "nominal epoch of the peak " + by_size(all, "%.1f", at), early && falls});
  double const first = power_of_rate(complete, complete.first_gini),
               last = power_of_rate(complete, complete.last_gini);
  to.findings.push_back({"F3",
                         "on complete Gini follows the rate late in training: squared for weights "
                         "before a normalisation, to the first power for the last layer",
                         "296 and 57 where rate squared gives 209 and 52",
                         "powers " + text("%.2f", first) + " and " + text("%.2f", last),
                         std::abs(first - 2) < 0.4 && std::abs(last - 1) < 0.3});
}

void accuracies(std::vector<size_and_seeds> const &all, summaries const &of, results &to) {
  std::size_t const n = all.back().nodes;
  auto const own = [&](std::size_t s, std::size_t g) { return mean(of.at({s, g}).accuracy); };
  auto const averaged = [&](std::size_t s, std::size_t g) { return mean(of.at({s, g}).averaged); };
  to.findings.push_back({"F6",
                         "accuracy: torus within a point of complete, ring 4 to 5 points lower",
                         "96: ring/torus/complete 76.24/81.10/81.65 and 76.66/80.91/80.41 %",
                         by_size(all, "%.2f", own),
                         std::abs(own(n, 1) - own(n, 2)) < 1 && own(n, 2) - own(n, 0) > 3});
  to.findings.push_back({"F6", "the averaged model of the ring is worse than its members",
                         "96, on the training set: 56.24 against 77.20 %",
                         "averaged " + by_size(all, "%.2f", averaged), averaged(n, 0) < own(n, 0)});
}

}  // namespace

double growth_work(bool quick) {
  double work = 0;
  for (auto const &[nodes, seeds] : growth_sizes(quick))
    work += static_cast<double>(3 * nodes * seeds * growth_rounds(quick));
  return work;
}

void growth(extent const &wanted, digits_data const &data, results &to, progress_lines &progress) {
  bool const quick = wanted.quick;
  auto const all = growth_sizes(quick);
  std::size_t const largest = all.back().nodes;
  drawing::line_chart picture(
      "Norms of the first weights before averaging, " + std::to_string(largest) + " nodes",
      {.title = "iteration"}, {.title = "Gini over the nodes", .logarithmic = true});
  summaries of;
  trained complete;
  for (auto const &[nodes, seeds] : all)
    for (std::size_t g = 0; g < 3; ++g)
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        trained const t = train({.network = graph_of(graph_names[g], nodes),
                                 .nodes = nodes,
                                 .rounds = growth_rounds(quick),
                                 .seed = seed,
                                 .cycle = {.peak = wanted.peak},
                                 .averaging = nodes == all.front().nodes && seed == 1},
                                data);
        add(of[{nodes, g}], t);
        record_run(t, graph_names[g], nodes, seed, to);
        if (nodes == largest && seed == 1) picture.add(curve_of(t, g));
        if (nodes == largest && g == 2) complete = t;
        progress.done(static_cast<double>(nodes * growth_rounds(quick)),
                      std::string("e6b ") + graph_names[g] + " of " + std::to_string(nodes) +
                          ", seed " + std::to_string(seed));
      }
  to.charts.push_back({"e6b_gini.svg", std::move(picture)});
  order(all, of, !quick, to);
  if (quick) return;  // a run that is cut has no end
  peaks(all, of, complete, to);
  accuracies(all, of, to);
}

}  // namespace dbench
