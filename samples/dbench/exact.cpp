// E6a and E6c: noise, whose averaging is known in closed form.
#include <algorithm>
#include <cmath>

#include "experiments.hpp"

namespace dbench {

namespace {

constexpr std::uint64_t noisy_rounds = 50, burst_every = 20, warm_up = 1000;

std::uint64_t burst_rounds(bool quick) {
  return quick ? 6000 : 20'000;
}

std::vector<std::size_t> noise_sizes(bool quick) {
  return quick ? std::vector<std::size_t>{12, 24} : std::vector<std::size_t>{12, 24, 48, 96};
}

double gap_of(std::string const &graph, std::size_t nodes) {
  return 1 - std::ranges::max(eigenvalues_of(graph, nodes));
}

/// Until the Gini has fallen by e^-16 in its slowest mode; other modes are gone after e^-12.
std::uint64_t rounds_until(double falls, double gap) {
  return noisy_rounds + static_cast<std::uint64_t>(std::ceil(falls / gap));
}

/// Gini at a burst and in the round after it over that of the five rounds before, root mean squares
/// over all bursts.
struct answer {
  double at, after;
};

/// series: of rounds from 0; bursts come at rounds every - 1, 2 every - 1, ...
answer answer_of(std::vector<double> const &series, std::uint64_t every, std::uint64_t from) {
  double before = 0, at = 0, after = 0;
  for (std::uint64_t k = every - 1; k + 1 < series.size(); k += every) {
    if (k < from) continue;
    for (std::uint64_t t = k - 5; t < k; ++t) before += series[t] * series[t] / 5;
    at += series[k] * series[k];
    after += series[k + 1] * series[k + 1];
  }
  return {std::sqrt(at / before), std::sqrt(after / before)};
}

/// The same by the eigenvalues: modes keep lambda^2 of their variance a round.
answer predicted(std::vector<double> const &eigenvalues, std::uint64_t every, double burst) {
  std::vector<double> level(every);  // variance p rounds after a burst
  for (std::uint64_t p = 0; p < every; ++p) {
    double variance = 0;
    for (double const lambda : eigenvalues) {
      double const kept = lambda * lambda;
      variance += 1 / (1 - kept) + (burst * burst - 1) * std::pow(kept, static_cast<double>(p)) /
                                       (1 - std::pow(kept, static_cast<double>(every)));
    }
    level[p] = variance;
  }
  double before = 0;
  for (std::uint64_t p = every - 5; p < every; ++p) before += level[p] / 5;
  return {std::sqrt(level[0] / before), std::sqrt(level[1] / before)};
}

void decay_of(std::string const &graph, std::size_t nodes, bool draws, results &to,
              drawing::line_chart &picture, std::string const &color, double &worst,
              std::string &figures) {
  double const gap = gap_of(graph, nodes);
  auto const series = gini_of({.network = graph_of(graph, nodes),
                               .steps = {.quiet_from = noisy_rounds},
                               .rounds = rounds_until(16, gap)});
  std::vector<double> rounds, logarithms;
  for (std::uint64_t k = rounds_until(12, gap); k < series.size(); ++k) {
    rounds.push_back(static_cast<double>(k));
    logarithms.push_back(std::log(series[k]));
  }
  double const measured = 1 - std::exp(slope(rounds, logarithms));
  worst = std::max(worst, std::abs(measured / gap - 1));
  to.numbers.push_back({"e6a", graph, nodes, 6, "decay_of_gini", 0, measured});
  to.numbers.push_back({"e6a", graph, nodes, 6, "spectral_gap", 0, gap});
  figures += (figures.empty() ? "" : "; ") + graph + " " + std::to_string(nodes) + ": " +
             text("%.4g", measured) + " (" + text("%.4g", gap) + ")";
  if (!draws) return;
  drawing::curve line{.name = graph + " of " + std::to_string(nodes), .color = color, .points = {}};
  line.marks = false;
  std::size_t const step = series.size() / 400 + 1;
  for (std::size_t k = 0; k < series.size(); k += step)
    line.points.emplace_back(static_cast<double>(k + 1), series[k]);
  picture.add(line);
}

}  // namespace

double decay_work(bool quick) {
  double work = 0;
  for (std::size_t const nodes : noise_sizes(quick))
    for (char const *graph : {"ring", "torus"})
      work += static_cast<double>(nodes * rounds_until(16, gap_of(graph, nodes)));
  return work / 1500 +
         static_cast<double>(3 * noise_sizes(quick).back() * burst_rounds(quick)) / 1500;
}

void decay(bool quick, results &to, progress_lines &progress) {
  std::size_t const largest = noise_sizes(quick).back();
  drawing::line_chart picture("Noise until round 50: what averaging leaves of it",
                              {.title = "round", .logarithmic = true},
                              {.title = "Gini of norms", .logarithmic = true});
  double worst = 0;
  std::string figures;
  for (std::size_t const nodes : noise_sizes(quick))
    for (std::size_t g = 0; g < 2; ++g) {
      decay_of(graph_names[g], nodes, nodes == largest, to, picture, colors[g], worst, figures);
      progress.done(
          static_cast<double>(nodes * rounds_until(16, gap_of(graph_names[g], nodes))) / 1500,
          std::string("e6a ") + graph_names[g] + " of " + std::to_string(nodes));
    }
  to.charts.push_back({"e6a_decay.svg", std::move(picture)});
  to.findings.push_back({"F4", "without steps, Gini falls by the spectral gap a round (within 1 %)",
                         "ring 96: 0.001428 (0.001427); torus 96: 0.0542 (0.0536)", figures,
                         worst < 0.01});

  std::array<answer, 3> found{}, law{};
  std::string answers;
  for (std::size_t g = 0; g < 3; ++g) {
    found[g] = answer_of(gini_of({.network = graph_of(graph_names[g], largest),
                                  .steps = {.burst_every = burst_every},
                                  .rounds = burst_rounds(quick)}),
                         burst_every, warm_up);
    law[g] = predicted(eigenvalues_of(graph_names[g], largest), burst_every, noise{}.burst);
    answers += std::string(g > 0 ? "; " : "") + graph_names[g] + " x" + text("%.2f", found[g].at) +
               " then x" + text("%.2f", found[g].after) + " (by its eigenvalues " +
               text("%.2f", law[g].at) + ", " + text("%.2f", law[g].after) + ")";
    to.numbers.push_back({"e6a", graph_names[g], largest, 6, "burst_over_before", 0, found[g].at});
    to.numbers.push_back(
        {"e6a", graph_names[g], largest, 6, "next_over_before", 0, found[g].after});
    progress.done(static_cast<double>(burst_rounds(quick) * largest) / 1500,
                  std::string("e6a bursts, ") + graph_names[g]);
  }
  bool near = true;
  for (std::size_t g = 0; g < 3; ++g)
    near = near && std::abs(found[g].at / law[g].at - 1) < 0.1 &&
           std::abs(found[g].after / law[g].after - 1) < 0.1;
  to.findings.push_back(
      {"F5",
       "a round of noise x4 (a batch of a 16th) shows on complete and is gone a round later; "
       "on the torus it relaxes; on the ring it shows least",
       "complete x25 to x30 at 8 samples of 128, gone at the next; ring hardly", answers,
       near && found[2].at > found[1].at && found[1].at > found[0].at && found[2].after < 1.1});
}

double memory_work(bool quick) {
  return quick ? 40 : 160;
}

void memory(bool quick, results &to, progress_lines &progress) {
  constexpr std::uint64_t every = 100;  // momentum 0.9 has forgotten a burst by then
  constexpr double beta = 0.9;
  std::uint64_t const bursts = quick ? 25 : 100;
  std::array<answer, 2> found{};
  for (bool const averaged : {true, false}) {
    found[averaged ? 0 : 1] = answer_of(gini_of({.network = graph_of("complete", 24),
                                                 .steps = {.burst_every = every},
                                                 .momentum = beta,
                                                 .how = {.momentum = averaged},
                                                 .rounds = every * bursts}),
                                        every, 0);
    char const *const name = averaged ? "complete, gradients" : "complete, parameters";
    answer const &of = found[averaged ? 0 : 1];
    to.numbers.push_back({"e6c", averaged ? "complete gradients" : "complete parameters", 24, 6,
                          "burst_over_before", 0, of.at});
    to.numbers.push_back({"e6c", averaged ? "complete gradients" : "complete parameters", 24, 6,
                          "next_over_before", 0, of.after});
    progress.done(memory_work(quick) / 2, std::string("e6c ") + name);
  }
  // Of local momentum the variance 1 / (1 - beta^2), of a burst beta^2 after a round.
  double const own = 1 / (1 - beta * beta), local_at = std::sqrt((own + 15) / own),
               local_after = std::sqrt((own + 15 * beta * beta) / own);
  auto const near = [](double a, double b) { return std::abs(a / b - 1) < 0.1; };
  to.findings.push_back(
      {"F5",
       "complete has no memory where gradients are averaged, and has where each node keeps its "
       "momentum",
       "a spike is gone at the next iteration: so gradients were averaged",
       "gradients x" + text("%.2f", found[0].at) + " then x" + text("%.2f", found[0].after) +
           " (in closed form 4, 1); parameters x" + text("%.2f", found[1].at) + " then x" +
           text("%.2f", found[1].after) + " (" + text("%.2f", local_at) + ", " +
           text("%.2f", local_after) + ")",
       near(found[0].at, 4) && near(found[0].after, 1) && near(found[1].at, local_at) &&
           near(found[1].after, local_after)});
}

}  // namespace dbench
