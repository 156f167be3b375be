#include "sweep_results.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include <gossip/core/error.hpp>
#include <gossip/observer/json.hpp>
#include <gossip/observer/record.hpp>

namespace simulate {

namespace {

/// Columns of the file that say where in a run a record was taken.
constexpr std::array marks{"round", "epoch", "virtual_seconds", "bytes_sent"};

/// A number of the summary, in the unit in which it is shown.
struct shown_number {
  char const *metric, *title, *unit;
  double factor;
  char const *format;
};
constexpr std::array shown_numbers{
    shown_number{"accuracy.mean", "accuracy", " %", 100, "%.2f"},
    shown_number{"accuracy.min", "worst node", " %", 100, "%.2f"},
    shown_number{"averaged_model_accuracy", "averaged model", " %", 100, "%.2f"},
    shown_number{"loss", "loss", "", 1, "%.4g"},
    shown_number{"consensus_distance", "consensus distance", "", 1, "%.3g"},
    shown_number{"bytes_sent", "sent", " MB", 1e-6, "%.4g"},
    shown_number{"virtual_seconds", "virtual seconds", "", 1, "%.4g"}};

std::string formatted(char const *format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// A cell as RFC 4180 has it.
std::string quoted(std::string const &cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string text = "\"";
  for (char const c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// All numbers of a record by name; those of an object as "accuracy.mean".
void add_numbers(json const &from, std::string const &prefix,
                 std::vector<std::pair<std::string, json>> &to) {
  for (auto const &[name, value] : from.items())
    if (value.is_object())
      add_numbers(value, prefix + name + ".", to);
    else if (value.is_number())
      to.emplace_back(prefix + name, value);
}

/// "95.9 +- 0.2" with one character, the deviation that of a sample; of one value the value. Runs
/// that lack the number, such as a loss that is not finite, are told: "(2 of 3)".
std::string written(std::vector<double> const &values, std::size_t runs, shown_number const &how) {
  if (values.empty()) return "-";
  std::string const lacking = values.size() == runs ? ""
                                                    : " (" + std::to_string(values.size()) +
                                                          " of " + std::to_string(runs) + ")";
  auto const [mean, deviation] = mean_and_deviation(values);
  std::string const text = formatted(how.format, how.factor * mean);
  if (values.size() == 1) return text + lacking;
  bool const percent = how.factor == 100;
  return text + " \u00b1 " + formatted(percent ? "%.2f" : "%.2g", how.factor * deviation) + lacking;
}

/// Columns on the screen: bytes of UTF-8 but those that continue a character.
std::size_t width_of(std::string const &text) {
  auto const begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace

std::vector<std::string> metrics_of(model const &m) {
  gossip::record r;
  r.loss = 0;
  r.consensus_distance = 0;
  r.set("staleness", 0);
  if (m.learns_from_samples) {
    r.accuracy.emplace();
    r.averaged_model_accuracy = r.test_loss = 0;
    r.evaluated_nodes = 1;
    if (m.has_statistics) r.statistics_distance = 0;
  }
  std::vector<std::pair<std::string, json>> numbers;
  add_numbers(gossip::to_json(r), "", numbers);
  std::vector<std::string> names;
  for (auto const &[name, value] : numbers) names.push_back(name);
  return names;
}

std::pair<double, double> mean_and_deviation(std::vector<double> const &values) {
  double const n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (double const v : values) mean += v / n;
  for (double const v : values) squares += (v - mean) * (v - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : 0.0};
}

double const *number_in(std::vector<std::pair<std::string, double>> const &numbers,
                        std::string const &name) {
  auto const same = [&](auto const &one) { return one.first == name; };
  auto const at = std::find_if(numbers.begin(), numbers.end(), same);
  return at == numbers.end() ? nullptr : &at->second;
}

void print_table(std::ostream &out, std::vector<std::vector<std::string>> const &rows) {
  std::vector<std::size_t> widths;
  for (auto const &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  for (auto const &row : rows) {
    for (std::size_t c = 0; c + 1 < row.size(); ++c)
      out << row[c] << std::string(widths[c] - width_of(row[c]) + 2, ' ');
    if (!row.empty()) out << row.back();
    out << '\n';
  }
}

sweep_results::sweep_results(std::vector<swept_field> fields, std::vector<swept_values> runs,
                             std::vector<std::string> names, std::string path)
    : fields_(std::move(fields)),
      values_(std::move(runs)),
      names_(std::move(names)),
      path_(std::move(path)),
      runs_(values_.size()) {
  if (path_.empty()) return;
  std::string header = "run";
  for (swept_field const &field : fields_)
    header += "," + quoted(field.pointer.empty() ? field.name() : field.pointer.substr(1));
  for (char const *const mark : marks) header += std::string(",") + mark;
  std::remove(path_.c_str());
  append(header + ",metric,value,error\n");
}

std::string sweep_results::row(std::size_t run, std::vector<std::string> const &cells) const {
  std::string text = quoted(names_[run]);
  for (auto const &[pointer, value] : values_[run]) text += "," + quoted(text_of(value));
  for (std::string const &cell : cells) text += "," + quoted(cell);
  return text + "\n";
}

void sweep_results::take(std::size_t run, json const &observation) {
  std::vector<std::pair<std::string, json>> numbers;
  add_numbers(observation, "", numbers);
  run_rows &to = runs_[run];
  to.last.clear();
  std::vector<std::string> at(marks.size());
  for (auto const &[name, value] : numbers) {
    to.last.emplace_back(name, value.get<double>());
    for (std::size_t m = 0; m < marks.size(); ++m)
      if (name == marks[m]) at[m] = value.dump();
  }
  for (auto const &[name, value] : numbers) {
    if (name == "node_iterations" || std::find(marks.begin(), marks.end(), name) != marks.end())
      continue;
    std::vector<std::string> cells = at;
    cells.insert(cells.end(), {name, value.dump(), ""});
    to.text += row(run, cells);
  }
}

void sweep_results::finish(std::size_t run, std::string const &failure) {
  runs_[run].finished = true;
  runs_[run].failure = failure;
  if (!failure.empty()) {
    std::vector<std::string> cells(marks.size());
    cells.insert(cells.end(), {"", "", failure});
    runs_[run].text += row(run, cells);
  }
  for (; written_ < runs_.size() && runs_[written_].finished; ++written_) {
    append(runs_[written_].text);
    runs_[written_].text.clear();
  }
}

void sweep_results::append(std::string const &text) const {
  if (path_.empty()) return;
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> const file(std::fopen(path_.c_str(), "ab"),
                                                              &std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0)
    throw gossip::write_error(path_, errno);
}

std::string sweep_results::last_numbers(std::size_t run) const {
  std::string text;
  for (shown_number const &how : shown_numbers)
    if (std::string const title = how.title; how.factor == 100 || title == "loss")
      if (double const *value = number_in(runs_[run].last, how.metric))
        text += "  " + title + " " + formatted(how.format, how.factor * *value) + how.unit;
  return text;
}

std::vector<std::size_t> sweep_results::shown_fields() const {
  std::vector<std::size_t> shown;
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (!fields_[f].is_seed()) shown.push_back(f);
  return shown;
}

/// Runs with the same values of some fields, and these as texts; in the order of the first.
std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>> sweep_results::groups_by(
    std::vector<std::size_t> const &fields) const {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::size_t>>> groups;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    std::vector<std::string> key;
    for (std::size_t const f : fields) key.push_back(text_of(values_[run][f].second));
    auto const same = [&](auto const &group) { return group.first == key; };
    auto at = std::find_if(groups.begin(), groups.end(), same);
    if (at == groups.end()) at = groups.insert(at, {key, {}});
    at->second.push_back(run);
  }
  return groups;
}

void sweep_results::print_summary(std::ostream &out) const {
  std::vector<std::size_t> const shown = shown_fields();
  auto const groups = groups_by(shown);
  std::vector<shown_number> columns;
  for (shown_number const &how : shown_numbers) {
    auto const has = [&](run_rows const &run) { return number_in(run.last, how.metric); };
    if (std::any_of(runs_.begin(), runs_.end(), has)) columns.push_back(how);
  }
  std::vector<std::vector<std::string>> table(1);
  for (std::size_t const f : shown) table[0].push_back(fields_[f].name());
  table[0].push_back("runs");
  for (shown_number const &how : columns) table[0].push_back(std::string(how.title) + how.unit);
  for (auto const &[key, runs] : groups) {
    std::vector<std::size_t> good;
    for (std::size_t const run : runs)
      if (runs_[run].finished && runs_[run].failure.empty()) good.push_back(run);
    std::vector<std::string> cells = key;
    cells.push_back(std::to_string(good.size()) +
                    (good.size() < runs.size() ? " of " + std::to_string(runs.size()) : ""));
    for (shown_number const &how : columns) {
      std::vector<double> values;
      for (std::size_t const run : good)
        if (double const *value = number_in(runs_[run].last, how.metric)) values.push_back(*value);
      cells.push_back(written(values, good.size(), how));
    }
    table.push_back(std::move(cells));
  }
  print_table(out, table);
}

}  // namespace simulate
