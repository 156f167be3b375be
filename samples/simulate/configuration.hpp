// The configuration of a run: read from a file and from --set, checked, complete.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

#include "schema.hpp"

namespace simulate {

/// Fields by their pointers, with the values that one run of a sweep gives them; an object for ""
/// is merged into the configuration (RFC 7386).
using swept_values = std::vector<std::pair<std::string, json>>;

/// The content of a configuration file, which is read once: it may be a pipe.
struct config_file {
  std::string path;  // empty: none, all defaults
  json content = json::object();

  /// Its "sweep"; null where it has none.
  json sweep() const;
};

/// Throws input_error where it cannot be read or holds no JSON object.
config_file read_config(std::string const &path);

/// Text as JSON writes it, in quotes. Throws input_error for text that is not UTF-8, which no file
/// of JSON can hold.
std::string quoted_json(std::string const &place, std::string const &text);

/// A value of the command line: JSON, or text where it is no JSON. Throws input_error where a
/// member comes twice, and as quoted_json does.
json value_of(std::string const &place, std::string const &text);

class configuration {
 public:
  /// The file's "sweep" is passed over. A setting is
  /// "/json/pointer=value"; swept values come last. Throws input_error
  /// "config.json: /topology/degree: expected ..., got ...".
  configuration(config_file const &file, std::vector<std::string> const &settings,
                swept_values const &swept = {});

  /// All of it as one text, and what such a text stands for: so that ranks get that of one.
  std::string text() const;
  explicit configuration(std::string const &text);

  /// What file and settings say, without swept values and defaults.
  json const &given() const { return base_; }
  /// Every field, defaults filled in.
  json const &complete() const { return complete_; }
  json const &operator[](char const *pointer) const {
    return complete_.at(json::json_pointer(pointer));
  }

  /// The library's refusal, with the place of the configuration it is about, if it is about one.
  gossip::input_error located(gossip::input_error const &fault) const;

 private:
  void set(std::string const &setting);
  void assign(std::string const &pointer, json value, std::string const &setting);
  std::string source_of(std::string const &pointer) const;
  gossip::input_error refusal(mismatch const &fault) const;

  std::string file_;
  std::vector<std::string> set_pointers_, swept_pointers_;
  json base_, given_ = json::object();  // without swept values, and with them
  json complete_;
};

}  // namespace simulate
