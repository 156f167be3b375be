// The configuration of a run: read from a file and from --set, checked, complete.
#pragma once

#include <string>
#include <vector>

#include <gossip/core/error.hpp>

#include "schema.hpp"

namespace simulate {

class configuration {
 public:
  /// file may be empty: all defaults. A setting is "/json/pointer=value". Throws input_error
  /// "config.json: /topology/degree: expected ..., got ...".
  configuration(std::string const &file, std::vector<std::string> const &settings);

  /// All of it as one text, and what such a text stands for: so that ranks get that of one.
  std::string text() const;
  explicit configuration(std::string const &text);

  /// Every field, defaults filled in.
  json const &complete() const { return complete_; }
  json const &operator[](char const *pointer) const {
    return complete_.at(json::json_pointer(pointer));
  }

  /// The library's refusal, with the place of the configuration it is about, if it is about one.
  gossip::input_error located(gossip::input_error const &fault) const;

 private:
  void set(std::string const &setting);
  std::string source_of(std::string const &pointer) const;
  gossip::input_error refusal(mismatch const &fault) const;

  std::string file_;
  std::vector<std::string> set_pointers_;
  json given_ = json::object();
  json complete_;
};

}  // namespace simulate
