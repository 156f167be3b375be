// Schema of a configuration: one table that drives validation, defaults and --list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/core/error.hpp>

namespace simulate {

using json = nlohmann::ordered_json;

struct field;

/// The forms a value can have.
struct whole {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};
struct number {
  double least = 0;
  double most = std::numeric_limits<double>::max();
  bool more_than_least = false;
  bool less_than_most = false;
};
struct numbers {
  number each;
  std::size_t fewest = 0;
  bool or_lists = false;  // an entry may be a list of such numbers, which is not empty
};
struct wholes {
  whole each;
};
struct yes_or_no {};
struct text {};
struct duration {
  bool above_zero = false;
};
struct bandwidth {};
struct choice {
  std::vector<std::string> names;
};
struct group {
  std::vector<field> fields;
};
struct list {
  std::vector<field> fields;  // of each entry
};
/// Exactly one of the fields.
struct either {
  std::vector<field> fields;
};

struct kind {
  std::string name, meaning;
  std::vector<field> fields;
};
/// {"kind": name, ...} or, for short, the name.
struct policy {
  std::vector<kind> kinds;
  bool written_short = false;  // a kind without fields is written as its name
};

struct field {
  std::string name, meaning;
  std::variant<whole, number, numbers, wholes, yes_or_no, text, duration, bandwidth, choice, group,
               list, either, policy>
      form;
  json fallback = nullptr;  // where the configuration says nothing; null: the parts' own, or needed
  bool may_be_left_out = false;  // null in a complete configuration
};

/// All fields of a configuration.
group const &schema();

/// A value that does not fit: where, and what was expected; no file is named yet.
struct mismatch {
  std::string pointer, sentence;
};

/// The value with every default filled in; throws mismatch. `given` may be null.
json complete(group const &fields, json const &given, std::string const &pointer);

/// "ring: expected ..." as the library says it: which place of the configuration that is, and the
/// rest of the sentence. Empty pointer: no place of it.
mismatch locate(gossip::input_error const &fault);

/// "; did you mean x?", or nothing where no name is near.
std::string did_you_mean(std::string const &word, std::vector<std::string> const &names);

/// Every policy with its parameters, units and defaults.
void print_list(std::ostream &out);

}  // namespace simulate
