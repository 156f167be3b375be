#include "tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>

#include <gossip/clock/units.hpp>

#include "../drawing/line_chart.hpp"
#include "charts.hpp"

namespace report {

using drawing::escaped;

std::string table(std::vector<std::vector<std::string>> const &rows) {
  std::string text = "<div class=\"wide\"><table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += r == 0 ? "<thead><tr>" : r == 1 ? "<tbody><tr>" : "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      auto const says = [&](auto const &row) { return &row != &rows[0] && !row[c].empty(); };
      if (std::none_of(rows.begin(), rows.end(), says)) continue;
      if (r == 0)
        text += "<th scope=\"col\">" + rows[0][c] + "</th>";
      else if (c == 0)
        text += "<th scope=\"row\">" + rows[r][c] + "</th>";
      else
        text += "<td data-of=\"" + rows[0][c] + "\">" + rows[r][c] + "</td>";
    }
    text += r == 0 ? "</tr></thead>\n" : "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string formatted(char const *format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string duration(double seconds) {
  if (!(std::abs(seconds) < 9e9)) return "";
  return gossip::format_duration(gossip::virtual_time(static_cast<std::int64_t>(seconds * 1e9)));
}

namespace {

std::string bytes(double count) {
  return count >= 0 && count < 1e19 ? gossip::format_bytes(static_cast<std::uint64_t>(count)) : "";
}

using shown = std::function<std::string(double)>;

/// A column of the results: what of the last observation, and how it is written.
struct result_column {
  char const *title, *column;
  shown text;
  bool spread;  // the range over seeds beside the mean
};

std::vector<result_column> const &result_columns() {
  shown const percent = [](double v) { return formatted("%.2f", 100 * v) + " %"; };
  shown const four = [](double v) { return formatted("%.4g", v); };
  shown const three = [](double v) { return formatted("%.3g", v); };
  static std::vector<result_column> const all{
      {"epochs", "epoch", four, false},
      {"accuracy", "accuracy.mean", percent, true},
      {"worst node", "accuracy.min", percent, false},
      {"best node", "accuracy.max", percent, false},
      {"averaged model", "averaged_model_accuracy", percent, false},
      {"loss", "loss", four, false},
      {"test loss", "test_loss", four, false},
      {"consensus distance", "consensus_distance", three, false},
      {"virtual time", "virtual_seconds", duration, false},
      {"sent", "bytes_sent", bytes, false},
      {"training took", "wall_seconds", duration, false}};
  return all;
}

/// At the end; where runs have not ended, at the last observation that all of them have.
std::string result(series const &s, result_column const &c) {
  bool const ended =
      std::ranges::all_of(s.runs, [](run const *r) { return r->summary.is_object(); });
  double sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
  std::size_t count = 0;
  for (run const *r : s.runs) {
    double const v = r->value(c.column, (ended ? r->observations : s.observations) - 1);
    if (!std::isfinite(v)) continue;
    sum += v;
    low = std::min(low, v);
    high = std::max(high, v);
    ++count;
  }
  if (count == 0) return "";
  std::string const mean = c.text(sum / static_cast<double>(count));
  if (!c.spread || count == 1) return mean;
  return mean + " <small>" + c.text(low) + " to " + c.text(high) + "</small>";
}

std::string word(json const &value) {
  if (value.is_null() || value.is_discarded()) return "";
  if (value.is_number_float()) return formatted("%.4g", value.get<double>());
  return escaped(value.is_string() ? value.get<std::string>() : value.dump());
}

/// What a pointer leads to in the summary; nothing where the run has not ended.
json at(run const &r, char const *pointer) {
  json::json_pointer const path(pointer);
  return r.summary.is_object() && r.summary.contains(path) ? r.summary.at(path) : json();
}

double number(run const &r, char const *pointer) {
  json const value = at(r, pointer);
  return value.is_number() ? value.get<double>() : std::nan("");
}

struct fact {
  char const *title, *pointer;
};
constexpr std::array facts{fact{"nodes", "/graph/nodes"},
                           fact{"edges", "/graph/edges"},
                           fact{"spectral gap", "/graph/spectral_gap"},
                           fact{"parameters of a node", "/parameters"},
                           fact{"processor", "/processor"},
                           fact{"device", "/device"},
                           fact{"backend", "/backend"},
                           fact{"numbers", "/numbers"},
                           fact{"threads", "/threads"},
                           fact{"ranks", "/ranks"},
                           fact{"compiler", "/compiler"},
                           fact{"flags", "/flags"},
                           fact{"BLAS", "/blas"},
                           fact{"kernels of BLAS", "/blas_kernels"},
                           fact{"library", "/library"},
                           fact{"gossip", "/gossip"},
                           fact{"commit", "/commit"}};

/// Fields that say what was run.
constexpr std::array main_fields{"topology",  "data",     "model", "precision",
                                 "optimizer", "exchange", "batch", "stop"};

/// "ring (nodes 16)": a value of a configuration, without what is left out.
std::string in_words(json const &value) {
  if (!value.is_object()) return word(value);
  std::string members;
  for (auto const &[name, member] : value.items())
    if (std::string const text = in_words(member); name != "kind" && !text.empty())
      members += (members.empty() ? "" : ", ") + escaped(name) + " " + text;
  if (!value.contains("kind")) return members;
  return word(value["kind"]) + (members.empty() ? "" : " (" + members + ")");
}

std::string field_of(run const &r, char const *name) {
  auto const found = r.config.find(name);
  return found == r.config.end() ? "" : in_words(*found);
}

std::string fact_of(run const &r, fact const &f) {
  return word(at(r, f.pointer));
}

std::string state_of(run const &r) {
  if (r.summary.is_null()) return "has not ended";
  json const ended = at(r, "/ended");
  if (ended.is_string() && ended != "done") return word(ended);
  return at(r, "/interrupted") == json(true) ? "interrupted" : "";
}

}  // namespace

std::string swatch(line_style style) {
  std::string const gaps = dashes[style.dash];
  return "<svg class=\"swatch\" viewBox=\"0 0 34 8\" aria-hidden=\"true\"><path d=\"M1 4h32\" "
         "stroke=\"var(--color" +
         std::to_string(style.color) + ")\" stroke-width=\"3\"" +
         (gaps.empty() ? "" : " stroke-dasharray=\"" + gaps + "\"") + "/></svg>";
}

std::string results_table(std::vector<series> const &all) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {"line", "runs"};
  bool const several =
      std::any_of(all.begin(), all.end(), [](series const &s) { return s.runs.size() > 1; });
  for (result_column const &c : result_columns()) rows[0].push_back(c.title);
  for (std::size_t s = 0; s < all.size(); ++s) {
    rows.push_back({swatch(all[s].style) + escaped(all[s].name),
                    several ? std::to_string(all[s].runs.size()) : ""});
    for (result_column const &c : result_columns()) rows.back().push_back(result(all[s], c));
  }
  return table(rows);
}

std::string runs_table(std::vector<series> const &all) {
  std::vector<json> configurations;
  std::vector<std::vector<std::string>> rows(1);
  std::vector<run const *> runs;
  rows[0].push_back("run");
  for (std::size_t s = 0; s < all.size(); ++s)
    for (run const *r : all[s].runs) {
      runs.push_back(r);
      configurations.push_back(r->what());
      rows.push_back({(all.size() > 1 ? swatch(all[s].style) : "") + escaped(r->name)});
    }
  auto const add = [&](std::string const &title, auto const &text_of) {
    rows[0].push_back(title);
    for (std::size_t r = 0; r < runs.size(); ++r) rows[r + 1].push_back(text_of(r));
  };
  for (difference const &d : differences(configurations))
    add(escaped(d.field), [&](std::size_t r) { return escaped(d.values[r]); });
  add("state", [&](std::size_t r) { return state_of(*runs[r]); });
  add("digest", [&](std::size_t r) {
    std::string const digest = word(at(*runs[r], "/digest"));
    return digest.empty() ? digest : "<code>" + digest + "</code>";
  });
  auto const measured = [&](char const *title, char const *pointer, shown const &text) {
    add(title, [&](std::size_t r) {
      double const value = number(*runs[r], pointer);
      return std::isfinite(value) ? text(value) : std::string();
    });
  };
  measured("training took", "/wall_seconds", duration);
  measured("evaluation took", "/evaluation_seconds", duration);
  measured("virtual time", "/virtual_seconds", duration);
  measured("sent", "/bytes_sent", bytes);
  measured("memory announced", "/announced_bytes", bytes);
  measured("memory used", "/peak_resident_bytes", bytes);
  for (fact const &f : facts) {
    auto const same = [&](run const *r) { return fact_of(*r, f) == fact_of(*runs.front(), f); };
    if (!std::all_of(runs.begin(), runs.end(), same))
      add(f.title, [&](std::size_t r) { return fact_of(*runs[r], f); });
  }
  return table(rows);
}

std::string shared_facts(std::vector<run> const &runs) {
  std::string text;
  auto const add = [&](char const *title, auto const &text_of) {
    std::string const first = text_of(runs.front());
    auto const same = [&](run const &r) { return text_of(r) == first; };
    if (!first.empty() && std::all_of(runs.begin(), runs.end(), same))
      text += "<div><dt>" + std::string(title) + "</dt><dd>" + first + "</dd></div>\n";
  };
  for (char const *const name : main_fields)
    add(name, [&](run const &r) { return field_of(r, name); });
  for (fact const &f : facts) add(f.title, [&](run const &r) { return fact_of(r, f); });
  return text.empty() ? "" : "<dl>\n" + text + "</dl>\n";
}

std::string configurations(std::vector<series> const &all) {
  std::string text;
  for (std::size_t s = 0; s < all.size(); ++s) {
    run const &first = *all[s].runs.front();
    text += "<details><summary>" + (all.size() > 1 ? swatch(all[s].style) + escaped(all[s].name)
                                                   : std::string("all fields"));
    if (all[s].runs.size() > 1) text += " <small>of " + escaped(first.name) + "</small>";
    text += "</summary><pre>" +
            escaped(first.config.dump(2, ' ', false, json::error_handler_t::replace)) +
            "</pre></details>\n";
  }
  return text;
}

std::string failures(std::vector<failed_run> const &failed) {
  if (failed.empty()) return "";
  std::string text = "<section><h2>Runs without results</h2>\n<ul>\n";
  for (failed_run const &f : failed)
    text += "<li><b>" + escaped(f.name) + "</b>: " + escaped(f.sentence) + "</li>\n";
  return text + "</ul></section>\n";
}

}  // namespace report
