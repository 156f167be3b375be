#include "labels.hpp"

#include <algorithm>
#include <map>

#include <gossip/core/error.hpp>

#include "run_files.hpp"

namespace report {

namespace {

using replacements = std::map<std::string, std::string>;  // by name

std::string listed(std::vector<std::string> const &names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + ("'" + names[i] + "'");
  return list;
}

/// The longest name that the word begins with: names may have '=' themselves.
std::string const *name_in(std::string const &word, std::vector<std::string> const &names) {
  std::string const *found = nullptr;
  for (std::string const &name : names)
    if (word.starts_with(name + "=") && (found == nullptr || name.size() > found->size()))
      found = &name;
  return found;
}

/// XML has no place for other text.
bool can_be_shown(std::string const &text) {
  auto const controls = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  return in_utf8(text) == text && std::none_of(text.begin(), text.end(), controls);
}

replacements texts_in(char const *option, std::vector<std::string> const &given,
                      std::vector<std::string> const &names) {
  replacements found;
  for (std::string const &word : given) {
    std::string const *const name = name_in(word, names);
    if (name == nullptr)
      throw gossip::input_error(option, "NAME=TEXT, where NAME is " + listed(names),
                                "'" + word + "'");
    std::string const text = word.substr(name->size() + 1);
    if (text.empty()) throw gossip::input_error(option, "a text after '" + word + "'", "nothing");
    if (!can_be_shown(text))
      throw gossip::input_error(
          option, "a text in UTF-8 without control characters",
          "control characters or bytes that are not UTF-8 in the text of '" + *name + "'");
    if (!found.emplace(*name, text).second)
      throw gossip::input_error(option, "one text for '" + *name + "'",
                                "a second text, '" + text + "'");
  }
  return found;
}

void add_new(std::vector<std::string> &names, std::string const &name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void replace(std::string &name, replacements const &by) {
  if (auto const found = by.find(name); found != by.end()) name = found->second;
}

}  // namespace

void label_lines(std::vector<std::string> const &given, std::vector<series> &all,
                 std::vector<chart> &charts) {
  std::vector<std::string> names;
  for (series const &s : all) add_new(names, s.name);
  for (chart const &c : charts)
    for (chart_line const &line : c.lines) add_new(names, line.name);
  replacements const by = texts_in("--label", given, names);
  for (series &s : all) replace(s.name, by);
  for (chart &c : charts)
    for (chart_line &line : c.lines) replace(line.name, by);
}

void label_axes(std::vector<std::string> const &given, std::vector<chart> &charts,
                std::array<horizontal_axis, 3> &axes) {
  std::vector<std::string> names;
  for (chart const &c : charts) names.push_back(c.key);
  for (horizontal_axis const &axis : axes) names.push_back(axis.column);
  replacements const by = texts_in("--axis", given, names);
  for (chart &c : charts)
    if (auto const found = by.find(c.key); found != by.end())
      c.axis = in_unit(found->second, c.unit);
  for (horizontal_axis &axis : axes)
    if (auto const found = by.find(axis.column); found != by.end())
      axis.title = in_unit(found->second, axis.unit);
}

}  // namespace report
