#include "series.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "run_files.hpp"

namespace report {

namespace {

json const &absent() {
  static json const none(json::value_t::discarded);
  return none;
}

/// The configuration without members called seed; those go to the text.
json without_seeds(json const &from, std::string &seeds) {
  if (!from.is_object()) return from;
  json rest = json::object();
  for (auto const &[name, value] : from.items())
    if (name == "seed")
      seeds += value.dump() + " ";
    else
      rest[name] = without_seeds(value, seeds);
  return rest;
}

/// A policy as its kind, with members where the kind alone does not say it.
std::string text_of(json const &value, bool kind_says_all) {
  if (value.is_discarded()) return "-";
  if (value.is_string()) return value.get<std::string>().empty() ? "-" : value.get<std::string>();
  if (!value.is_object()) return value.dump();
  auto const kind = value.find("kind");
  bool const has_kind = kind != value.end() && kind->is_string();
  if (has_kind && kind_says_all) return kind->get<std::string>();
  std::string text = has_kind ? kind->get<std::string>() : "";
  for (auto const &[name, member] : value.items())
    if (name != "kind") text += (text.empty() ? "" : " ") + name + "=" + text_of(member, false);
  return text;
}

std::string kind_of(json const &value) {
  auto const kind = value.is_object() ? value.find("kind") : value.end();
  return value.is_object() && kind != value.end() ? kind->dump() : value.dump();
}

std::set<std::string> names_in(json const &object) {
  std::set<std::string> names;
  for (auto const &[name, value] : object.items()) names.insert(name);
  return names;
}

void compare(std::string const &field, std::vector<json const *> const &values,
             std::vector<difference> &to) {
  json const &first = *values.front();
  auto const equal = [&](json const *v) {
    return v->is_discarded() == first.is_discarded() && (v->is_discarded() || *v == first);
  };
  if (std::all_of(values.begin(), values.end(), equal)) return;
  auto const alike = [&](json const *v) {
    return v->is_object() && names_in(*v) == names_in(first);
  };
  if (first.is_object() && std::all_of(values.begin(), values.end(), alike)) {
    for (auto const &[name, ignored] : first.items()) {
      std::vector<json const *> members;
      for (json const *v : values) members.push_back(&(*v)[name]);
      bool const nested = name != "kind" || field.empty();
      compare(nested ? field + (field.empty() ? "" : "/") + name : field, members, to);
    }
    return;
  }
  std::map<std::string, std::set<std::string>> wholes;  // of each kind
  for (json const *v : values) wholes[kind_of(*v)].insert(v->dump());
  bool const kind_says_all = std::all_of(wholes.begin(), wholes.end(),
                                         [](auto const &one) { return one.second.size() == 1; });
  difference d{field, {}};
  for (json const *v : values) d.values.push_back(text_of(*v, kind_says_all));
  to.push_back(std::move(d));
}

std::size_t parts_of(std::vector<std::string> const &labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size();
}

bool is_word(std::string const &text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         text != "true" && text != "false" && text != "null";
}

/// By the values of fields: all where they are few, else those that tell more of them apart.
std::vector<std::string> labels_of(std::vector<difference> const &all, std::size_t count) {
  std::vector<std::string> labels(count);
  for (difference const &d : all) {
    auto next = labels;
    std::string const word = d.field.substr(d.field.rfind('/') + 1);
    for (std::size_t s = 0; s < count; ++s)
      if (d.values[s] != "-")
        next[s] +=
            (next[s].empty() ? "" : ", ") +
            (is_word(d.values[s]) || d.field == "name" ? d.values[s] : word + " " + d.values[s]);
    if (all.size() <= 3 || parts_of(next) > parts_of(labels)) labels = std::move(next);
  }
  return labels;
}

void name_all(std::vector<series> &all, std::vector<json> const &configurations,
              std::vector<difference> const &differing) {
  std::vector<std::string> given;
  for (json const &c : configurations) {
    auto const found = c.find("name");
    bool const is_text = found != c.end() && found->is_string();
    given.push_back(is_text ? found->get<std::string>() : "");
  }
  bool const named =
      parts_of(given) == all.size() && std::find(given.begin(), given.end(), "") == given.end();
  auto const labels = named ? given : labels_of(differing, all.size());
  for (std::size_t s = 0; s < all.size(); ++s) {
    bool const unique = std::count(labels.begin(), labels.end(), labels[s]) == 1;
    std::string const &folder = all[s].runs.front()->name;
    all[s].name = in_utf8(labels[s].empty() ? folder
                          : unique          ? labels[s]
                                            : labels[s] + " (" + folder + ")");
  }
}

std::size_t observed_together(std::vector<run const *> const &runs) {
  std::size_t count = runs.front()->observations;
  for (run const *r : runs) count = std::min(count, r->observations);
  for (std::size_t i = 0; i < count; ++i) {
    double const epoch = runs.front()->value("epoch", i);
    for (run const *r : runs)
      if (std::abs(r->value("epoch", i) - epoch) > 1e-6 * epoch) return i;
  }
  return count;
}

}  // namespace

std::vector<difference> differences(std::vector<json> const &configurations) {
  std::vector<difference> all;
  // Fields that some lack, at the top: files that were not written by one version.
  json names = json::object();
  for (json const &c : configurations)
    for (auto const &[name, value] : c.items()) names[name] = nullptr;
  for (auto const &[name, ignored] : names.items()) {
    std::vector<json const *> members;
    for (json const &c : configurations) {
      auto const found = c.find(name);
      members.push_back(found == c.end() ? &absent() : &*found);
    }
    compare(name, members, all);
  }
  return all;
}

std::vector<series> series_of(std::vector<run> const &runs) {
  std::vector<series> all;
  std::vector<json> configurations;
  std::map<std::string, std::vector<std::pair<std::size_t, std::set<std::string>>>> known;
  for (run const &r : runs) {
    std::string seeds;
    json rest = without_seeds(r.what(), seeds);
    auto &candidates = known[rest.dump()];
    auto const lacks = [&](auto const &one) { return !one.second.contains(seeds); };
    auto at = std::find_if(candidates.begin(), candidates.end(), lacks);
    if (at == candidates.end()) {
      at = candidates.insert(at, {all.size(), {}});
      all.emplace_back();
      configurations.push_back(std::move(rest));
    }
    at->second.insert(seeds);
    all[at->first].runs.push_back(&r);
  }
  for (series &s : all) s.observations = observed_together(s.runs);
  auto const differing = differences(configurations);
  name_all(all, configurations, differing);
  auto const styles = styles_of(differing, all.size());
  for (std::size_t s = 0; s < all.size(); ++s) all[s].style = styles[s];
  return all;
}

}  // namespace report
