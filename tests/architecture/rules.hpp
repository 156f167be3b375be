// Rules for the files of the library, as functions from a text to findings.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gossip::architecture {

/// A place where a rule is broken.
struct finding {
  std::string file;
  std::size_t line;  // from 1
  std::string rule;

  friend bool operator==(finding const &, finding const &) = default;
};

/// The text a line at a time, without comments and without what stands in string literals.
std::vector<std::string> code_lines(std::string const &text);

/// Floors, doors and style of a public header; the path is relative to include/gossip.
std::vector<finding> check_header(std::string const &path, std::string const &text);

/// The rules of every source file: names, columns, ASCII, errors that say what came.
std::vector<finding> check_source(std::string const &path, std::string const &text);

/// Tags in a source whose path is relative to tests/: a test has that of its folder, by which
/// programs of several folders are told to run those of one, or that of devices or of ranks.
std::vector<finding> check_tags(std::string const &path, std::string const &text);

}  // namespace gossip::architecture
