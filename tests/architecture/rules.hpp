// Rules for the files of the library, as functions from a text to findings.
#pragma once

#include <cstddef>
#include <map>
#include <set>
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

/// Tags in a source whose path is relative to tests/: a test has the tag of its folder, of devices
/// or of ranks.
std::vector<finding> check_tags(std::string const &path, std::string const &text);

/// Files that include each other in a circle, the first of them also last; empty where there is no
/// circle. includes: the files that each file includes.
std::vector<std::string> circle_in(std::map<std::string, std::set<std::string>> const &includes);

}  // namespace gossip::architecture
