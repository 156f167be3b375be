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

/// The "sweep" of a configuration file; null where it has none or there is no file.
json sweep_in(std::string const &file);

class configuration {
 public:
  /// file may be empty: all defaults; its "sweep" is passed over. A setting is
  /// "/json/pointer=value"; swept values come last. Throws input_error
  /// "config.json: /topology/degree: expected ..., got ...".
  configuration(std::string const &file, std::vector<std::string> const &settings,
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
