// E6e: a graph that is dense early and sparse late, as Ada's, against fixed ones. What is published
// of Ada is that it adapts the graph throughout training; the schedule is one of ours.
#include <gossip/topology/complete.hpp>
#include <gossip/topology/ring_lattice.hpp>
#include <gossip/topology/shrinking_lattice.hpp>

#include "experiments.hpp"

namespace dbench {

namespace {

constexpr std::size_t densest = 16, sparsest = 2;

std::size_t adaptive_nodes(bool quick) {
  return quick ? 20 : 48;
}
std::uint64_t adaptive_rounds(bool quick) {
  return quick ? 21 : 300;
}
std::uint64_t adaptive_seeds(bool quick) {
  return quick ? 1 : 2;
}

struct contender {
  std::string name;
  gossip::graph network;
  double mean_degree;
};

/// From 16 neighbours to 2 by twos, in seven steps over the first half of the run.
gossip::shrinking_lattice ada_style(std::size_t nodes, std::uint64_t rounds) {
  return {.nodes = nodes,
          .degree = densest,
          .least = sparsest,
          .every = static_cast<std::size_t>(rounds / 14)};
}

std::vector<contender> contenders(bool quick) {
  std::size_t const n = adaptive_nodes(quick);
  std::uint64_t const rounds = adaptive_rounds(quick);
  std::vector<contender> all;
  for (std::size_t const k : {2U, 4U, 8U, 16U}) {
    if (quick && k != sparsest) continue;
    all.push_back({"lattice of " + std::to_string(k),
                   gossip::ring_lattice{.nodes = n, .degree = k}.build(), static_cast<double>(k)});
  }
  all.push_back({"complete", gossip::complete{n}.build(), static_cast<double>(n - 1)});
  gossip::shrinking_lattice const ada = ada_style(n, rounds);
  double degrees = 0;  // of the rounds that are averaged: all but the last
  for (std::uint64_t k = 0; k + 1 < rounds; ++k) degrees += static_cast<double>(ada.degree_of(k));
  all.push_back({"Ada-style", ada.build(), degrees / static_cast<double>(rounds - 1)});
  return all;
}

}  // namespace

double adaptive_work(bool quick) {
  return static_cast<double>(contenders(quick).size() * adaptive_seeds(quick) *
                             adaptive_nodes(quick) * adaptive_rounds(quick));
}

void adaptive(extent const &wanted, digits_data const &data, results &to,
              progress_lines &progress) {
  bool const quick = wanted.quick;
  struct outcome {
    double accuracy, gigabytes;
  };
  auto const all = contenders(quick);
  std::vector<outcome> found;
  drawing::line_chart picture(
      "Accuracy against bytes, " + std::to_string(adaptive_nodes(quick)) + " nodes",
      {.title = "GB sent by all nodes", .logarithmic = true}, {.title = "accuracy of nodes, %"});
  std::string figures;
  for (contender const &c : all) {
    std::vector<double> accuracy, gigabytes;
    for (std::uint64_t seed = 1; seed <= adaptive_seeds(quick); ++seed) {
      trained const t = train({.network = c.network,
                               .nodes = adaptive_nodes(quick),
                               .rounds = adaptive_rounds(quick),
                               .seed = seed,
                               .cycle = {.peak = wanted.peak},
                               .look_every = adaptive_rounds(quick)},
                              data);
      accuracy.push_back(t.accuracy);
      gigabytes.push_back(t.gigabytes);
      to.numbers.push_back(
          {"e6e", c.name, adaptive_nodes(quick), seed, "accuracy_percent", 0, t.accuracy});
      to.numbers.push_back(
          {"e6e", c.name, adaptive_nodes(quick), seed, "gigabytes", 0, t.gigabytes});
      progress.done(static_cast<double>(adaptive_nodes(quick) * adaptive_rounds(quick)),
                    "e6e " + c.name + ", seed " + std::to_string(seed));
    }
    found.push_back({mean(accuracy), mean(gigabytes)});
    figures += (figures.empty() ? "" : "; ") + c.name + " " + text("%.2f", mean(accuracy)) +
               " %, " + text("%.3g", mean(gigabytes)) + " GB";
    if (c.name != "Ada-style") {
      drawing::curve point{.name = c.name, .color = "#777", .points = {}};
      if (c.name == "complete") point.color = colors[2];
      point.points.emplace_back(mean(gigabytes), mean(accuracy));
      picture.add(point);
    } else {
      picture.add(
          {.name = c.name, .color = colors[0], .points = {{mean(gigabytes), mean(accuracy)}}});
    }
  }
  to.charts.push_back({"e6e_accuracy_bytes.svg", std::move(picture)});
  outcome const &ada = found.back(), &complete = found[found.size() - 2], &sparse = found.front();
  double const share = all.back().mean_degree / static_cast<double>(adaptive_nodes(quick) - 1);
  to.findings.push_back({"Ada",
                         "an Ada-style graph sends no more than its mean degree's share of "
                         "complete",
                         "none: Ada's schedule is not published",
                         text("%.4f", ada.gigabytes / complete.gigabytes) +
                             " of complete (mean degree " + text("%.3g", all.back().mean_degree) +
                             ", share " + text("%.4f", share) + ")",
                         ada.gigabytes <= share * complete.gigabytes * (1 + 1e-9)});
  if (quick) return;  // nothing is learned in so few rounds
  to.findings.push_back({"Ada", "and learns at least as well as the sparse lattice that it ends as",
                         "the paper: with Ada accuracy equal or comparable to centralized "
                         "training, up to 1,008 GPUs",
                         figures, ada.accuracy >= sparse.accuracy});
}

}  // namespace dbench
