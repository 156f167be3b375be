// The words of a command line, an option at a time: --name value, --name=value or --name.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include <gossip/core/error.hpp>

namespace command_line {

class options {
 public:
  explicit options(std::span<char const *const> words) : words_(words) {}

  /// Goes on to the next option; false behind the last.
  bool next() {
    if (at_ == words_.size()) return false;
    word_ = words_[at_++];
    equals_ = word_.starts_with("--") ? word_.find('=') : std::string::npos;
    name_ = word_.substr(0, equals_);
    return true;
  }

  /// The word as it was given, and what stands before its '='.
  std::string const &word() const { return word_; }
  std::string const &name() const { return name_; }

  /// The value of an option that is given once. Throws input_error for none and for a second.
  std::string value() {
    std::string const text = repeated_value();
    if (!given_.insert(name_).second)
      throw gossip::input_error(name_, "one value", "a second value, '" + text + "'");
    return text;
  }

  /// The value of an option that may be given several times.
  std::string repeated_value() {
    if (equals_ != std::string::npos) return word_.substr(equals_ + 1);
    if (at_ == words_.size())
      throw gossip::input_error(name_, "a value after the option", "nothing");
    return words_[at_++];
  }

  /// The value of an option that is given once and names a file or a folder.
  std::string path() {
    std::string const text = value();
    if (text.empty()) throw gossip::input_error(name_, "a path", "nothing");
    return text;
  }

  /// Throws input_error where an option that has no value is given one.
  void refuse_value() const {
    if (equals_ != std::string::npos)
      throw gossip::input_error(name_, "no value", "'" + word_ + "'");
  }

 private:
  std::span<char const *const> words_;
  std::size_t at_ = 0;  // of the next word
  std::string word_, name_;
  std::size_t equals_ = std::string::npos;
  std::set<std::string> given_;
};

}  // namespace command_line
