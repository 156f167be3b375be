#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include <gossip/core/error.hpp>

#include "sweep_results.hpp"

namespace simulate {

namespace {

/// The value is the least or the greatest of three numbers or more: a better one may lie beyond.
bool at_an_end(json const &value, std::vector<json> const &values) {
  if (values.size() < 3) return false;
  auto const is_number = [](json const &one) { return one.is_number(); };
  if (!std::all_of(values.begin(), values.end(), is_number)) return false;
  auto const [least, greatest] = std::minmax_element(
      values.begin(), values.end(),
      [](json const &x, json const &y) { return x.get<double>() < y.get<double>(); });
  return value == *least || value == *greatest;
}

/// The greatest is the best of it.
bool is_gain(std::string const &metric) {
  return metric.find("accuracy") != std::string::npos;
}

}  // namespace

best_field best_field_of(std::string const &option, std::vector<swept_field> const &fields,
                         std::vector<std::string> const &metrics) {
  std::size_t const equals = std::min(option.find('='), option.size());
  best_field wanted{option.substr(0, equals), "accuracy.mean"};
  if (equals < option.size()) wanted.metric = option.substr(equals + 1);
  if (wanted.metric.empty())
    throw gossip::input_error("--best " + option, "a metric after =, such as loss", "nothing");
  std::string names;
  auto const names_it = [&](swept_field const &field) { return field.pointer == wanted.pointer; };
  if (std::any_of(fields.begin(), fields.end(), names_it)) {
    if (std::find(metrics.begin(), metrics.end(), wanted.metric) != metrics.end()) return wanted;
    std::string all;
    for (std::string const &name : metrics) all += (all.empty() ? "" : ", ") + name;
    throw gossip::input_error("--best " + option, "a number that the runs measure: " + all,
                              wanted.metric + did_you_mean(wanted.metric, metrics));
  }
  for (swept_field const &field : fields) names += (names.empty() ? "" : ", ") + field.pointer;
  throw gossip::input_error("--best " + option, "a field that is swept: " + names, wanted.pointer);
}

json sweep_results::best(best_field const &wanted) const {
  auto const same = [&](swept_field const &f) { return f.pointer == wanted.pointer; };
  auto const found = std::find_if(fields_.begin(), fields_.end(), same);
  auto const chosen = static_cast<std::size_t>(found - fields_.begin());
  std::vector<std::size_t> others;
  for (std::size_t const f : shown_fields())
    if (f != chosen && !(found->paired && fields_[f].paired)) others.push_back(f);
  auto const name_of = [&](std::size_t f) {
    return fields_[f].pointer.empty() ? fields_[f].name() : fields_[f].pointer.substr(1);
  };
  json list = json::array();
  for (auto const &[key, runs] : groups_by(others)) {
    struct candidate {
      json value;
      std::pair<double, double> moments;
      std::size_t runs;
    };
    std::optional<candidate> top;
    for (json const &value : found->values) {
      std::vector<double> numbers;
      bool whole = true;
      for (std::size_t const run : runs) {
        if (values_[run][chosen].second != value) continue;
        double const *number = number_in(runs_[run].last, wanted.metric);
        whole = whole && number && runs_[run].finished && runs_[run].failure.empty();
        if (whole) numbers.push_back(*number);
      }
      if (!whole || numbers.empty()) continue;
      auto const moments = mean_and_deviation(numbers);
      bool const better = top && (is_gain(wanted.metric) ? moments.first > top->moments.first
                                                         : moments.first < top->moments.first);
      if (!top || better) top = candidate{value, moments, numbers.size()};
    }
    json row = json::object();
    for (std::size_t const f : others) row[name_of(f)] = values_[runs.front()][f].second;
    row[name_of(chosen)] = top ? top->value : json();
    row[wanted.metric] = nullptr;
    if (top)
      row[wanted.metric] = {{"mean", top->moments.first}, {"deviation", top->moments.second}};
    row["runs"] = top ? top->runs : 0;
    row["at_an_end"] = top && at_an_end(top->value, found->values);
    list.push_back(std::move(row));
  }
  return list;
}

void sweep_results::print_best(std::ostream &out, best_field const &wanted) const {
  json const list = best(wanted);
  std::vector<std::vector<std::string>> table;
  bool ends = false;
  for (json const &row : list) {
    std::vector<std::string> head, cells;
    for (auto const &[name, value] : row.items()) {
      if (name == "at_an_end") continue;
      head.push_back(name == wanted.metric ? name : name.substr(name.rfind('/') + 1));
      if (name != wanted.metric) {
        cells.push_back(value.is_null() ? "-" : text_of(value));
      } else if (value.is_null()) {
        cells.push_back("-");
      } else {
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%.4g \u00b1 %.2g", value["mean"].get<double>(),
                      value["deviation"].get<double>());
        cells.push_back(text.data());
      }
    }
    bool const end = row["at_an_end"].get<bool>();
    ends = ends || end;
    cells.push_back(end ? "*" : "");
    head.push_back("");
    if (table.empty()) table.push_back(std::move(head));
    table.push_back(std::move(cells));
  }
  out << "\nBest " << wanted.pointer << " by " << wanted.metric << ", the "
      << (is_gain(wanted.metric) ? "greatest" : "least") << " mean\n";
  print_table(out, table);
  if (ends) out << "* the least or the greatest of its values: a better value may lie beyond it\n";
}

}  // namespace simulate
