#include "plans.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gossip/core/error.hpp>

#include "../drawing/line_chart.hpp"
#include "../simulate/json_reason.hpp"
#include "charts.hpp"
#include "run_files.hpp"
#include "tables.hpp"

namespace report {

namespace {

using drawing::escaped;

/// The plans of a series, taken together.
struct planned {
  std::size_t plans = 0;
  double epoch_seconds = 0, training = 0, least = 1;  // sums over plans; the least of all
  double staleness = 0;                               // sum over gradients
  std::uint64_t gradients = 0, largest = 0;
  std::vector<std::uint64_t> counts;
  std::string least_trained;  // its node
  double link_share = 0;
  std::string link;
};

/// Staleness from 0 upwards as bars, the highest as high as the picture.
std::string histogram(planned const &p, line_style style) {
  constexpr int width = 6, height = 36;
  std::uint64_t const most = *std::max_element(p.counts.begin(), p.counts.end());
  auto const last = static_cast<std::size_t>(
      std::find_if(p.counts.rbegin(), p.counts.rend(), [](auto c) { return c > 0; }).base() -
      p.counts.begin());
  std::string const wide = std::to_string(width * static_cast<int>(p.counts.size()));
  std::string text = "<svg class=\"bars\" width=\"" + wide + "\" height=\"" +
                     std::to_string(height + 12) + "\" role=\"img\" aria-label=\"staleness, 0 to " +
                     std::to_string(p.largest) + "\">";
  for (std::size_t b = 0; b < last; ++b) {
    double const share = static_cast<double>(p.counts[b]) / static_cast<double>(p.gradients);
    double const high = height * static_cast<double>(p.counts[b]) /
                        static_cast<double>(std::max<std::uint64_t>(1, most));
    bool const rest = b + 1 == p.counts.size();
    text += "<rect x=\"" + std::to_string(width * static_cast<int>(b)) + "\" y=\"" +
            formatted("%.1f", height - high) + "\" width=\"" + std::to_string(width - 1) +
            "\" height=\"" + formatted("%.1f", high) + "\" fill=\"var(--color" +
            std::to_string(style.color) + ")\"><title>" + std::to_string(b) +
            (rest ? " and more" : "") + ": " + formatted("%.2f", 100 * share) + " %</title></rect>";
  }
  text += "<text x=\"0\" y=\"" + std::to_string(height + 11) + "\">0</text>";
  if (last > 3)
    text += "<text x=\"" + std::to_string(width * static_cast<int>(last)) + "\" y=\"" +
            std::to_string(height + 11) + "\" text-anchor=\"end\">" + std::to_string(last - 1) +
            (last == p.counts.size() ? "+" : "") + "</text>";
  return text + "</svg>";
}

void take(json const &plan, planned &to) {
  ++to.plans;
  to.epoch_seconds += plan.at("epoch_seconds").get<double>();
  json const &time = plan.at("time_in_training");
  to.training += time.at("mean").get<double>();
  if (double const least = time.at("least").get<double>(); to.plans == 1 || least < to.least) {
    to.least = least;
    to.least_trained = time.at("of_node").dump();
  }
  json const &link = plan.at("busiest_link");
  if (double const share = link.at("share").get<double>(); share > to.link_share) {
    to.link_share = share;
    to.link = link.at("from").dump() + " to " + link.at("to").dump();
  }
  json const &staleness = plan.at("staleness");
  if (staleness.is_null()) return;
  auto const counts = staleness.at("counts").get<std::vector<std::uint64_t>>();
  std::uint64_t total = 0;
  to.counts.resize(std::max(to.counts.size(), counts.size()));
  for (std::size_t b = 0; b < counts.size(); ++b) {
    to.counts[b] += counts[b];
    total += counts[b];
  }
  to.gradients += total;
  to.staleness += staleness.at("mean").get<double>() * static_cast<double>(total);
  to.largest = std::max(to.largest, staleness.at("largest").get<std::uint64_t>());
}

/// Of the runs that have a plan of the same configuration.
planned plans_of(series const &s, bool &differs) {
  planned all;
  for (run const *r : s.runs) {
    std::string const path = r->folder + "/plan.json";
    if (!is_there(path)) continue;
    json const plan = object_of(path);
    if (plan.value("config", json()) != r->config) {
      differs = true;
      continue;
    }
    try {
      take(plan, all);
    } catch (json::exception const &fault) {
      throw gossip::input_error(path, "the plan of a dry run",
                                "a damaged plan: " + simulate::reason(fault));
    }
  }
  return all;
}

std::vector<std::string> row_of(series const &s, planned const &p) {
  double const n = static_cast<double>(p.plans), training = p.training / n;
  std::vector<std::string> cells{
      swatch(s.style) + escaped(s.name), duration(p.epoch_seconds / n),
      formatted("%.1f", 100 * training) + " %", formatted("%.1f", 100 * (1 - training)) + " %",
      formatted("%.1f", 100 * p.least) + " % <small>node " + p.least_trained + "</small>"};
  cells.push_back(p.link.empty()
                      ? ""
                      : formatted("%.2g", 100 * p.link_share) + " % <small>" + p.link + "</small>");
  if (p.gradients == 0) {
    cells.insert(cells.end(), 3, "");
  } else {
    cells.push_back(formatted("%.3g", p.staleness / static_cast<double>(p.gradients)));
    cells.push_back(std::to_string(p.largest));
    cells.push_back(histogram(p, s.style));
  }
  return cells;
}

}  // namespace

std::string plans_section(std::vector<series> const &all) {
  std::vector<std::vector<std::string>> rows{
      {"line", "an epoch takes", "time in training", "waiting or down", "least in training",
       "busiest link", "mean staleness", "largest", "staleness"}};
  bool differs = false;
  for (std::size_t s = 0; s < all.size(); ++s)
    if (planned const p = plans_of(all[s], differs); p.plans > 0) rows.push_back(row_of(all[s], p));
  std::string const note =
      differs ? "<p>A plan.json of a different configuration is not shown.</p>\n" : "";
  if (rows.size() == 1)
    return differs ? "<section><h2>Staleness and waiting</h2>\n" + note + "</section>\n" : "";
  return "<section><h2>Staleness and waiting</h2>\n"
         "<p>In virtual time, as dry runs of the same configurations planned it. Staleness is the "
         "number of times that a model changed between a gradient and its step.</p>\n" +
         note + table(rows) + "</section>\n";
}

}  // namespace report
