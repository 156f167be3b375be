#include "sweep_fields.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include <gossip/core/error.hpp>

#include "earlier_files.hpp"

namespace simulate {

namespace {

constexpr std::size_t most_runs = 100'000;

/// The whole numbers of "1..5".
std::optional<std::vector<json>> range_of(std::string const &text, std::string const &option) {
  std::size_t const dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  std::int64_t first = 0, last = 0;
  auto const read = [](char const *begin, char const *end, std::int64_t &value) {
    auto const [stop, fault] = std::from_chars(begin, end, value);
    return stop == end && fault == std::errc();
  };
  char const *const begin = text.data();
  if (!read(begin, begin + dots, first) || !read(begin + dots + 2, begin + text.size(), last))
    return std::nullopt;
  auto const span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (last < first || span >= most_runs)
    throw gossip::input_error(option, "an ascending range of at most 100000 numbers", text);
  std::vector<json> values;
  for (std::int64_t value = first; value <= last; ++value) values.emplace_back(value);
  return values;
}

/// The parts between commas that are in no brackets and no quotes.
std::vector<std::string> parts_of(std::string const &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

void check(swept_field const &field, std::string const &place) {
  if (!field.pointer.empty() && field.pointer[0] != '/')
    throw gossip::input_error(place, "/json/pointer=values, such as /seed=1..5",
                              "no / at the start");
  for (json const &value : field.values)
    if (field.pointer.empty() && !value.is_object())
      throw gossip::input_error(place, "objects to merge into the configuration",
                                value.dump().substr(0, 40));
  if (field.values.empty()) throw gossip::input_error(place, "a list of one value or more", "none");
  std::set<std::string> texts;
  for (json const &value : field.values) {
    std::string const text = text_of(value);
    auto const control = [](unsigned char c) { return std::iscntrl(c) != 0; };
    if (std::any_of(text.begin(), text.end(), control))
      throw gossip::input_error(place, "names and values on one line, without control characters",
                                json(text).dump());
    if (!texts.insert(text).second)
      throw gossip::input_error(place, "each value once", text + " twice");
  }
}

/// option: "--sweep" or "--pair".
swept_field swept_field_of(std::string const &name, std::string const &option) {
  std::string const place = name + " " + option;
  std::size_t const equals = option.find('=');
  if (equals == std::string::npos)
    throw gossip::input_error(place, "/json/pointer=values, such as /seed=1..5", "no =");
  swept_field field{option.substr(0, equals), {}, name == "--pair"};
  std::string const text = option.substr(equals + 1);
  if (auto range = range_of(text, place)) {
    field.values = std::move(*range);
  } else if (!text.empty()) {
    for (std::string const &part : parts_of(text)) {
      if (part.empty()) throw gossip::input_error(place, "a value between commas", "nothing");
      field.values.push_back(value_of(name + " " + field.pointer, part));
    }
  }
  check(field, place);
  return field;
}

/// A field that contains another, as /optimizer does /optimizer/rate, comes before it: its values
/// are set first.
void put_containers_first(std::vector<swept_field> &fields) {
  for (auto later = fields.begin(); later != fields.end(); ++later) {
    auto const inside = [&](swept_field const &f) {
      return f.pointer.starts_with(later->pointer + "/");
    };
    if (auto const first = std::find_if(fields.begin(), later, inside); first != later)
      std::rotate(first, later, later + 1);
  }
}

}  // namespace

std::string swept_field::name() const {
  if (pointer.empty()) return "name";
  std::string path = pointer;
  if (path.ends_with("/kind") && path.rfind('/') > 0) path.resize(path.size() - 5);
  return path.substr(path.rfind('/') + 1);
}

namespace {

/// The lists of an object, "sweep" or "pair" in a file.
void add_fields(std::string const &place, json const &lists, bool paired,
                std::vector<swept_field> &to) {
  for (auto const &[pointer, values] : lists.items()) {
    if (!paired && pointer == "pair") continue;
    std::string const where = place + ": " + pointer;
    if (!values.is_array())
      throw gossip::input_error(where, "a list of values", std::string(values.type_name()));
    to.push_back({pointer, values.get<std::vector<json>>(), paired});
    check(to.back(), where);
  }
}

/// Fields that change together, each with its index; a field that is not paired is alone.
std::vector<std::vector<std::size_t>> axes_of(std::vector<swept_field> const &fields) {
  std::vector<std::vector<std::size_t>> axes;
  std::size_t pairs = fields.size();  // the axis of those that are paired, once it is there
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].paired && pairs < axes.size()) {
      axes[pairs].push_back(f);
      continue;
    }
    if (fields[f].paired) pairs = axes.size();
    axes.push_back({f});
  }
  return axes;
}

void check_pairs(std::vector<swept_field> const &fields) {
  swept_field const *first = nullptr;
  for (swept_field const &field : fields) {
    if (!field.paired) continue;
    if (first && field.values.size() != first->values.size())
      throw gossip::input_error(
          "--pair " + field.pointer,
          "the number of values of " + first->pointer + ", " + std::to_string(first->values.size()),
          std::to_string(field.values.size()));
    if (!first) first = &field;
  }
}

}  // namespace

std::vector<swept_field> swept_fields(std::string const &file, json const &sweep,
                                      std::vector<std::string> const &options,
                                      std::vector<std::string> const &pairs) {
  std::vector<swept_field> fields;
  std::string const place = file + ": /sweep";
  if (!sweep.is_null() && !sweep.is_object())
    throw gossip::input_error(place, "an object, such as {\"/seed\": [1, 2]}",
                              std::string(sweep.type_name()));
  add_fields(place, sweep, false, fields);
  if (sweep.is_object() && sweep.contains("pair")) {
    if (!sweep["pair"].is_object())
      throw gossip::input_error(place + "/pair", "an object, such as {\"/seed\": [1, 2]}",
                                std::string(sweep["pair"].type_name()));
    add_fields(place + "/pair", sweep["pair"], true, fields);
  }
  auto const add = [&](swept_field field) {
    auto const same = [&](swept_field const &other) { return other.pointer == field.pointer; };
    if (auto const at = std::find_if(fields.begin(), fields.end(), same); at != fields.end())
      *at = std::move(field);
    else
      fields.push_back(std::move(field));
  };
  std::set<std::string> of_options;
  auto const add_option = [&](char const *name, std::string const &option) {
    swept_field field = swept_field_of(name, option);
    if (!of_options.insert(field.pointer).second)
      throw gossip::input_error(std::string(name) + " " + field.pointer, "each field once",
                                "the field twice");
    add(std::move(field));
  };
  for (std::string const &option : options) add_option("--sweep", option);
  for (std::string const &option : pairs) add_option("--pair", option);
  put_containers_first(fields);
  check_pairs(fields);
  double runs = 1;
  for (auto const &axis : axes_of(fields))
    runs *= static_cast<double>(fields[axis.front()].values.size());
  if (runs > static_cast<double>(most_runs))
    throw gossip::input_error("--sweep", "at most 100000 runs", json(runs).dump());
  return fields;
}

json to_json(std::vector<swept_field> const &fields) {
  json sweep = json::object();
  for (swept_field const &field : fields)
    (field.paired ? sweep["pair"] : sweep)[field.pointer] = field.values;
  return sweep;
}

std::vector<swept_values> combinations(std::vector<swept_field> const &fields) {
  std::vector<std::vector<std::size_t>> all{std::vector<std::size_t>(fields.size())};
  for (auto const &axis : axes_of(fields)) {
    std::vector<std::vector<std::size_t>> longer;
    for (auto const &known : all)
      for (std::size_t k = 0; k < fields[axis.front()].values.size(); ++k) {
        longer.push_back(known);
        for (std::size_t const f : axis) longer.back()[f] = k;
      }
    all = std::move(longer);
  }
  std::vector<swept_values> values(all.size());
  for (std::size_t run = 0; run < all.size(); ++run)
    for (std::size_t f = 0; f < fields.size(); ++f)
      values[run].emplace_back(fields[f].pointer, fields[f].values[all[run][f]]);
  return values;
}

std::string text_of(json const &value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object() && value.contains("name")) return text_of(value["name"]);
  if (value.is_object() && value.contains("kind") && value["kind"].is_string()) {
    std::string text = value["kind"].get<std::string>();
    for (auto const &[name, member] : value.items())
      if (name != "kind") text += " " + name + "=" + text_of(member);
    return text;
  }
  return value.dump();
}

std::string folder_name(std::size_t k, std::size_t count, std::vector<swept_field> const &fields,
                        swept_values const &values) {
  std::string number = std::to_string(k + 1);
  number.insert(0, std::to_string(count).size() - number.size(), '0');
  std::string text;
  for (std::size_t f = 0; f < fields.size(); ++f)
    text += (f == 0 ? "-" : ",") + fields[f].name() + "=" + text_of(values[f].second);
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("-_.,=+", c)) c = '_';
  return number + text.substr(0, 100);
}

namespace {

void append(std::vector<std::string> &to, std::string const &folder,
            std::vector<std::string> const &names) {
  for (std::string const &name : names) to.push_back(folder + "/" + name);
}

}  // namespace

std::vector<std::string> files_of_sweep(std::string const &folder) {
  auto found = files_in(folder, {"sweep.json", "results.csv", "best.json"});
  std::string const file = folder + "/sweep.json";
  if (files_in(folder, {"sweep.json"}).empty()) return found;
  try {
    auto const fields = swept_fields(file, read_config(file).sweep(), {}, {});
    auto const values = combinations(fields);
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::string const run = folder_name(k, values.size(), fields, values[k]);
      std::error_code ignored;
      if (!std::filesystem::is_directory(
              std::filesystem::symlink_status(folder + "/" + run, ignored)))
        continue;
      append(found, run, files_of_run(folder + "/" + run));
      append(found, run, files_of_plan(folder + "/" + run));
    }
  } catch (gossip::input_error const &) {  // no sweep.json of a sweep: its runs are not known
  }
  return found;
}

}  // namespace simulate
