// The exceptions of gossip: one sentence that says where, what was expected and what came.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

#include <gossip/core/inline.hpp>

namespace gossip {

/// A run that could not go on: memory, disk, a value that is not a number. Exit status 1.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A run whose numbers are no numbers any more, or beyond what can be computed with: a loss, a
/// gradient, a row of a node.
class diverged : public error {
 public:
  using error::error;
};

/// A file that cannot be written to, for a reason of the system: "path: cannot be written: No space
/// left on device".
class write_error : public error {
 public:
  write_error(std::string const &path, int code);

  /// True where the disk, or the part of it that the user may take, is full.
  bool disk_is_full() const { return code_ == ENOSPC || code_ == EDQUOT; }

 private:
  int code_;
};

/// Input that cannot be used: a file, a configuration, a size. Exit status 2.
class input_error : public error {
 public:
  using error::error;

  /// "where: expected X, got Y", the form of every message about a file or a field.
  input_error(std::string const &where, std::string const &expected, std::string const &got);

  /// The parts of that sentence; empty of an error that has another.
  std::string const &where() const { return where_; }
  std::string const &expected() const { return expected_; }
  std::string const &got() const { return got_; }

 private:
  std::string where_, expected_, got_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/error.ipp>
#endif
