// The exceptions of gossip: one sentence that says where, what was expected and what came.
#pragma once

#include <stdexcept>
#include <string>

namespace gossip {

/// A run that could not go on: memory, disk, a value that is not a number. Exit status 1.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Input that cannot be used: a file, a configuration, a size. Exit status 2.
class input_error : public error {
 public:
  using error::error;

  /// "where: expected X, got Y", the form of every message about a file or a field.
  input_error(std::string const &where, std::string const &expected, std::string const &got)
      : error(where + ": expected " + expected + ", got " + got),
        where_(where),
        expected_(expected),
        got_(got) {}

  /// The parts of that sentence; empty of an error that has another.
  std::string const &where() const { return where_; }
  std::string const &expected() const { return expected_; }
  std::string const &got() const { return got_; }

 private:
  std::string where_, expected_, got_;
};

}  // namespace gossip
