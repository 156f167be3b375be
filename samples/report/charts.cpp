#include "charts.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <system_error>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/number_text.hpp>

namespace report {

namespace {

struct quantity {
  std::string key, title, axis, column;
  std::string low{}, high{};  // columns of a run's range over nodes
  std::string unit{};         // empty: none
  double factor = 1;
  bool logarithmic = false;
  bool of_test_set = false;  // measured on some nodes and samples
  std::string line{};        // its name where a chart has several quantities
};

quantity const accuracy{.key = "accuracy",
                        .title = "Accuracy",
                        .axis = "accuracy on the test set",
                        .column = "accuracy.mean",
                        .low = "accuracy.min",
                        .high = "accuracy.max",
                        .unit = "%",
                        .factor = 100,
                        .of_test_set = true};
quantity const averaged{.key = "averaged_model_accuracy",
                        .title = "Accuracy of the averaged model",
                        .axis = "accuracy on the test set",
                        .column = "averaged_model_accuracy",
                        .unit = "%",
                        .factor = 100,
                        .of_test_set = true};
std::vector<quantity> const others{
    {.key = "loss", .title = "Loss in training", .axis = "loss", .column = "loss"},
    {.key = "test_loss",
     .title = "Loss on the test set",
     .axis = "loss",
     .column = "test_loss",
     .of_test_set = true},
    {.key = "consensus_distance",
     .title = "Consensus distance",
     .axis = "mean squared distance",
     .column = "consensus_distance",
     .logarithmic = true},
    {.key = "staleness",
     .title = "Staleness of gradients",
     .axis = "changes of the model since",
     .column = "staleness"},
    {.key = "statistics_distance",
     .title = "Consensus distance of statistics",
     .axis = "mean squared distance",
     .column = "statistics_distance",
     .logarithmic = true}};

/// Columns that say where in a run and how was observed.
std::set<std::string> const marks{"round",           "node_iterations",   "epoch",
                                  "virtual_seconds", "wall_seconds",      "bytes_sent",
                                  "evaluated_nodes", "evaluated_samples", "accuracy.std",
                                  "accuracy.min",    "accuracy.max",      "accuracy.mean"};

/// The class of a column of the observer class_accuracy; nothing of another column.
std::optional<std::uint32_t> class_of(std::string const &column) {
  std::string const prefix = "class_accuracy_";
  std::uint32_t number = 0;
  char const *const end = column.data() + column.size();
  if (!column.starts_with(prefix)) return std::nullopt;
  auto const [stop, wrong] = std::from_chars(column.data() + prefix.size(), end, number);
  if (wrong != std::errc() || stop != end) return std::nullopt;
  return number;
}

quantity accuracy_on(std::uint32_t number) {
  std::string const column = "class_accuracy_" + std::to_string(number),
                    words = "class " + std::to_string(number);
  return {.key = column,
          .title = "Accuracy on " + words,
          .axis = "accuracy on the class",
          .column = column,
          .unit = "%",
          .factor = 100,
          .line = words};
}

/// Those that observers of other programs have added: of each chart what it shows. Classes come
/// last, of one series in one chart, as far as it has styles for them.
std::vector<std::vector<quantity>> further(std::vector<series> const &all) {
  std::set<std::string> known = marks;
  known.insert(averaged.column);
  for (quantity const &q : others) known.insert(q.column);
  std::vector<std::vector<quantity>> found;
  std::set<std::uint32_t> classes;
  for (series const &s : all)
    for (run const *r : s.runs)
      for (auto const &[name, column] : r->columns) {
        if (!known.insert(name).second) continue;
        if (auto const number = class_of(name)) {
          classes.insert(*number);
          continue;
        }
        std::string key = name;
        for (char &c : key)
          if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
        found.push_back({{.key = key, .title = name, .axis = name, .column = name}});
      }
  bool const together =
      all.size() == 1 && classes.size() > 1 && classes.size() <= colors.size() * dashes.size();
  if (together) found.emplace_back();
  for (std::uint32_t const number : classes) {
    if (!together) found.emplace_back();
    found.back().push_back(accuracy_on(number));
  }
  if (together) {
    found.back().front().key = "class_accuracy";
    found.back().front().title = "Accuracy by class";
  }
  return found;
}

/// A browser's axis ends somewhere: a run that diverges in double precision may go beyond.
bool can_be_drawn(double value, bool logarithmic) {
  double const size = std::abs(value);
  return size < 1e150 && (!logarithmic || (value > 0 && size > 1e-150));
}

double mean_of(series const &s, std::string const &column, std::size_t i) {
  double sum = 0;
  std::size_t count = 0;
  for (run const *r : s.runs)
    if (double const v = r->value(column, i); std::isfinite(v)) sum += v, ++count;
  return count > 0 ? sum / static_cast<double>(count) : std::nan("");
}

/// The values of an observation over the runs, or of one run its range over the nodes.
std::optional<chart_point> point_of(series const &s, quantity const &q, std::size_t i) {
  chart_point p{
      .x = {mean_of(s, "epoch", i), mean_of(s, "virtual_seconds", i), mean_of(s, "bytes_sent", i)},
      .y = mean_of(s, q.column, i)};
  if (!can_be_drawn(p.y, q.logarithmic)) return std::nullopt;
  p.low = p.high = p.y;
  for (run const *r : s.runs)
    if (double const v = r->value(q.column, i); std::isfinite(v))
      p.low = std::min(p.low, v), p.high = std::max(p.high, v);
  if (s.runs.size() > 1 || q.low.empty()) return p;
  double const low = s.runs.front()->value(q.low, i), high = s.runs.front()->value(q.high, i);
  if (std::isfinite(low) && std::isfinite(high)) p.low = low, p.high = high;
  return p;
}

/// Of every stretch of observations the lowest and the highest, with the range of all of them.
std::vector<chart_point> thinned(std::vector<chart_point> const &points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<chart_point> kept{points.front()};
  std::size_t const stretches = most / 2 - 1, inner = points.size() - 2;
  for (std::size_t k = 0; k < stretches; ++k) {
    auto const from = points.begin() + 1 + static_cast<std::ptrdiff_t>(k * inner / stretches);
    auto const to = points.begin() + 1 + static_cast<std::ptrdiff_t>((k + 1) * inner / stretches);
    auto const by = [](double chart_point::*m) {
      return [m](chart_point const &a, chart_point const &b) { return a.*m < b.*m; };
    };
    auto const [least, most_high] = std::minmax_element(from, to, by(&chart_point::y));
    double const low = std::min_element(from, to, by(&chart_point::low))->low;
    double const high = std::max_element(from, to, by(&chart_point::high))->high;
    for (auto const at : {std::min(least, most_high), std::max(least, most_high)}) {
      if (at == std::max(least, most_high) && least == most_high) break;
      kept.push_back(*at);
      kept.back().low = low;
      kept.back().high = high;
    }
  }
  kept.push_back(points.back());
  return kept;
}

/// "16 nodes and 1,000 samples"; empty where that was not recorded.
std::string evaluated(run const &r, std::size_t i) {
  double const nodes = r.value("evaluated_nodes", i), samples = r.value("evaluated_samples", i);
  if (!std::isfinite(nodes) || !std::isfinite(samples)) return "";
  return gossip::format_count(static_cast<std::uint64_t>(nodes)) + " nodes and " +
         gossip::format_count(static_cast<std::uint64_t>(samples)) + " samples";
}

/// Whether the last observation is measured on other nodes or samples than the one before.
bool ends_apart(series const &s) {
  std::size_t const last = s.observations - 1;
  return s.observations > 1 && std::any_of(s.runs.begin(), s.runs.end(), [&](run const *r) {
           std::string const at_end = evaluated(*r, last), before = evaluated(*r, last - 1);
           return at_end != before && !at_end.empty() && !before.empty();
         });
}

chart_line line_of(series const &s, std::size_t index, quantity const &q, double from_epoch) {
  chart_line line{.name = s.name, .series = index, .style = s.style, .points = {}};
  line.banded = s.runs.size() > 1 || !q.low.empty();
  bool last_drawn = false;
  for (std::size_t i = 0; i < s.observations; ++i) {
    auto const p = point_of(s, q, i);
    last_drawn = p && !(p->x[0] < from_epoch);
    if (last_drawn) line.points.push_back(*p);
  }
  line.observations = line.points.size();
  line.ends_apart = q.of_test_set && last_drawn && line.observations > 1 && ends_apart(s);
  return line;
}

/// "3 seeds", "2 to 3 seeds": how many runs the series have.
std::string seeds_of(std::vector<series> const &all) {
  std::size_t least = all.front().runs.size(), most = least;
  for (series const &s : all)
    least = std::min(least, s.runs.size()), most = std::max(most, s.runs.size());
  std::string const counted = std::to_string(most) + " seeds";
  return least < most ? std::to_string(least) + " to " + counted : counted;
}

/// "16 nodes": how many the runs were evaluated on at the beginning; "nodes" where that differs.
std::string nodes_of(std::vector<series> const &all) {
  double const first = all.front().runs.front()->value("evaluated_nodes", 0);
  for (series const &s : all)
    if (s.runs.front()->value("evaluated_nodes", 0) != first) return "nodes";
  return gossip::format_count(static_cast<std::uint64_t>(first)) +
         (first == 1 ? " node" : " nodes");
}

/// What lines are means of and bands the range; empty where a line is of single numbers.
std::string averaged_over(std::vector<series> const &all, quantity const &q) {
  std::vector<series> repeated, single;
  for (series const &s : all) (s.runs.size() > 1 ? repeated : single).push_back(s);
  if (repeated.empty()) return q.low.empty() ? "" : nodes_of(single);
  if (single.empty() || q.low.empty()) return seeds_of(all);
  return seeds_of(repeated) + " or, of a single run, of " + nodes_of(single);
}

/// Sentences on what lines and bands are.
std::vector<std::string> meaning(std::vector<series> const &all, chart const &c) {
  std::vector<std::string> notes;
  if (!c.over.empty()) notes.push_back(lines_and_bands(c, true));
  for (series const &s : all)
    for (run const *r : s.runs)
      if (r->observations > s.observations) {
        notes.push_back("A line ends where its runs were no longer observed at the same epochs.");
        return notes;
      }
  return notes;
}

/// What the last points are that stand apart; empty where none does.
std::string rings_of(std::vector<series> const &all, std::vector<chart_line> const &lines) {
  std::set<std::string> sentences;
  for (chart_line const &line : lines)
    if (line.ends_apart)
      for (run const *r : all[line.series].runs) {
        std::size_t const last = all[line.series].observations - 1;
        sentences.insert("Rings are measured on " + evaluated(*r, last) + ", lines on " +
                         evaluated(*r, last - 1) + ".");
      }
  if (sentences.empty()) return "";
  return sentences.size() == 1 ? *sentences.begin()
                               : "Rings and lines are measured on different nodes or samples.";
}

/// of: quantities of one axis; of several each has a line a series.
chart chart_of(std::vector<series> const &all, std::vector<quantity> const &of, double from_epoch) {
  quantity const &first = of.front();
  chart c{.key = first.key,
          .title = first.title,
          .axis = in_unit(first.axis, first.unit),
          .unit = first.unit,
          .factor = first.factor,
          .logarithmic = first.logarithmic,
          .lines = {},
          .over = averaged_over(all, first),
          .rings = {},
          .notes = {}};
  c.notes = meaning(all, c);
  bool zeros = false, others_out = false;
  for (quantity const &q : of)
    for (std::size_t s = 0; s < all.size(); ++s) {
      chart_line line = line_of(all[s], s, q, from_epoch);
      if (of.size() > 1) {
        line.name = q.line;
        line.style = next_style(c.lines.size());
      }
      c.lines.push_back(std::move(line));
      for (run const *r : all[s].runs)
        for (std::size_t i = 0; i < r->observations; ++i)
          if (double const v = r->value(q.column, i); !can_be_drawn(v, q.logarithmic))
            (v == 0 ? zeros : others_out) |= std::isfinite(v);
    }
  bool const banded = c.lines.front().banded || c.lines.back().banded;
  if (banded && c.lines.size() > most_bands)
    c.notes.push_back("Bands are drawn where at most " + std::to_string(most_bands) +
                      " lines are shown.");
  if (zeros) c.notes.push_back("Zeros, as at the start, have no place on a logarithmic axis.");
  if (others_out) c.notes.push_back("Values outside the range of an axis are left out.");
  c.rings = rings_of(all, c.lines);
  if (!c.rings.empty()) c.notes.push_back(c.rings);
  if (first.key == "loss")
    c.notes.push_back("A point is the mean over the trainings since the observation before.");
  return c;
}

void thin(std::vector<chart> &charts) {
  std::size_t lines = 0;
  for (chart const &c : charts) lines += c.lines.size();
  std::size_t const most =
      std::clamp<std::size_t>(60'000 / std::max<std::size_t>(lines, 1), 600, 3'000);
  for (chart &c : charts) {
    std::size_t points = 0, kept = 0;
    for (chart_line &line : c.lines) {
      points += line.points.size();
      line.points = thinned(line.points, most);
      kept += line.points.size();
    }
    if (kept < points)
      c.notes.push_back("Drawn are " + gossip::format_count(kept) + " of " +
                        gossip::format_count(points) +
                        " observations, the lowest and the highest of each interval, since there "
                        "are more observations than pixels.");
  }
}

/// The unit in which the largest value is between 1 and 1,000 or so.
horizontal_axis in_units(horizontal_axis axis, double largest,
                         std::vector<std::pair<double, std::string>> const &units) {
  std::pair<double, std::string> chosen = units.front();
  for (auto const &unit : units)
    if (largest >= 2 * unit.first) chosen = unit;
  axis.factor = 1 / chosen.first;
  axis.unit = chosen.second;
  axis.title = in_unit(axis.title, axis.unit);
  return axis;
}

}  // namespace

std::string in_unit(std::string const &title, std::string const &unit) {
  return unit.empty() ? title : title + ", " + unit;
}

std::string lines_and_bands(chart const &c, bool banded) {
  if (c.over.empty()) return "";
  return banded ? "Band: lowest to highest of " + c.over + "; line: their mean."
                : "Line: mean of " + c.over + ".";
}

std::array<horizontal_axis, 3> horizontal_axes(std::vector<run> const &runs, bool from_zero) {
  auto const largest = [&](std::string const &column) {
    double most = 0;
    for (run const &r : runs)
      for (double const v : r.columns.at(column))
        if (std::isfinite(v)) most = std::max(most, v);
    return most;
  };
  std::array axes{
      horizontal_axis{"epoch", "epoch", "epoch"},
      in_units({"virtual_seconds", "virtual time", "virtual time"}, largest("virtual_seconds"),
               {{1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}}),
      in_units({"bytes_sent", "bytes", "sent by all nodes"}, largest("bytes_sent"),
               {{1, "bytes"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}})};
  for (horizontal_axis &axis : axes) axis.from_zero = from_zero;
  return axes;
}

std::vector<chart> charts_of(std::vector<series> const &all, double from_epoch) {
  std::vector<chart> charts{chart_of(all, {accuracy}, from_epoch)};
  chart of_mean = chart_of(all, {averaged}, from_epoch);
  if (all.size() == 1) {  // room for both in one
    auto &line = charts.front().lines.front();
    line.name = "mean over nodes";
    of_mean.lines.front().name = "averaged model";
    of_mean.lines.front().style = next_style(1);
    of_mean.lines.front().banded = of_mean.lines.front().banded && all.front().runs.size() > 1;
    charts.front().lines.push_back(of_mean.lines.front());
  } else {
    charts.push_back(std::move(of_mean));
  }
  for (quantity const &q : others) charts.push_back(chart_of(all, {q}, from_epoch));
  for (auto const &of : further(all)) charts.push_back(chart_of(all, of, from_epoch));
  for (chart &c : charts)
    std::erase_if(c.lines, [](chart_line const &line) { return line.points.empty(); });
  std::erase_if(charts, [](chart const &c) { return c.lines.empty(); });
  if (charts.empty() && from_epoch > 0)
    throw gossip::input_error("--from", "an epoch that a run has reached",
                              gossip::detail::shortest(from_epoch));
  thin(charts);
  return charts;
}

}  // namespace report
