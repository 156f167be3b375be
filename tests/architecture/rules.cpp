// The rules of the house, one small function each.
#include "rules.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

#include "house.hpp"

namespace gossip::architecture {
namespace {

std::vector<std::string> lines_of(std::string const &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The folder of a path, without a last detail/.
std::string folder_of(std::string const &path) {
  auto const slash = path.rfind('/');
  auto const folder = slash == std::string::npos ? "" : path.substr(0, slash);
  return folder.ends_with("/detail") ? folder.substr(0, folder.size() - 7) : folder;
}

/// The text between < and > of an #include, or between its quotes.
std::optional<std::string> included(std::string const &line) {
  static std::regex const form(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::smatch match;
  if (!std::regex_search(line, match, form)) return std::nullopt;
  return match[1];
}

/// The reason why a header of the folder may not include one of the other folder, or nothing.
std::string floor_rule(std::string const &from, std::string const &to) {
  if (from.empty() || from == to) return "";  // the umbrellas stand above all floors
  auto const target = floors.find(to);
  if (target == floors.end()) return "no such folder: " + to + "/ (house.hpp lists them)";
  int const own = floors.at(from);
  if (target->second < own) return "";
  return "floors: " + from + "/ (" + std::to_string(own) + ") includes " + to + "/ (" +
         std::to_string(target->second) + "), which is not below it";
}

/// Whether the place (a folder, or a file) holds the path.
bool holds(std::string const &place, std::string const &path) {
  return place.back() == '/' ? path.starts_with(place) : path == place;
}

/// The dependency whose door the path goes around by including the header, or nothing.
std::string door_rule(std::string const &path, std::string const &header) {
  for (auto const &door : doors) {
    auto const starts = [&](std::string const &beginning) { return header.starts_with(beginning); };
    auto const inside = [&](std::string const &place) { return holds(place, path); };
    if (std::ranges::any_of(door.headers, starts) && !std::ranges::any_of(door.places, inside))
      return "doors: <" + header + "> of " + door.dependency + " only in " + door.places.front() +
             (door.places.size() > 1 ? " and its like in house.hpp" : "");
  }
  return "";
}

/// The words that no header may have, with the reason.
std::string word_rule(std::string const &path, std::string const &code) {
  struct word {
    std::regex form;
    std::string rule;
    std::string allowed;  // the folder or file where it is right
  };
  static std::vector<word> const words{
      {std::regex(R"(\busing\s+namespace\b)"), "no 'using namespace' in a header", ""},
      {std::regex(R"(^\s*#\s*define\b)"), "no macros in a header", "core/inline.hpp"},
      {std::regex(R"(\bs?rand\s*\(|\bmt19937|\brandom_device\b|\bdefault_random_engine\b)"),
       "random numbers only from core/random.hpp", ""},
      {std::regex(R"(\bgetenv\b)"), "no environment variables in a header",
       "backend/cpu/detail/thread_count.ipp"},
      {std::regex(
           R"(\bstd::(count[lr]_(zero|one)|popcount|bit_(width|floor|ceil)|has_single_bit)\b)"),
       "bits are counted by core/bits.hpp, since nvcc miscounts by <bit>", ""},
      {std::regex(R"(\bstd::(cout|cerr|clog)\b|\bf?printf\s*\()"),
       "the library never prints; observers do", "observer"},
  };
  for (auto const &[form, rule, allowed] : words)
    if (std::regex_search(code, form) &&
        (allowed.empty() || (allowed != folder_of(path) && allowed != path)))
      return rule;
  return "";
}

/// The first comment says in a sentence what the file is.
bool opens_with_a_sentence(std::vector<std::string> const &lines) {
  if (lines.empty() || !lines[0].starts_with("// ") || lines[0].find(' ', 3) == std::string::npos)
    return false;
  for (auto const &line : lines) {
    if (!line.starts_with("//")) return false;
    if (line.find_first_of(".:") != std::string::npos) return true;
  }
  return false;
}

std::string name_rule(std::string const &path) {
  std::string word;
  for (char const c : path + '.') {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    if (empty_words.contains(word)) return "names: '" + word + "' says nothing";
    word.clear();
  }
  return "";
}

/// A file says what its folder does not: no part of its name is the folder's, but for the contract.
std::string repetition_rule(std::string const &path) {
  auto const folder = std::filesystem::path(path).parent_path().filename().string();
  auto const name = std::filesystem::path(path).stem().string();
  if (folder.empty() || name == folder) return "";
  auto const parts = '_' + name + '_';
  return parts.find('_' + folder + '_') == std::string::npos
             ? ""
             : "names: " + path + " repeats the name of its folder";
}

}  // namespace

std::vector<std::string> code_lines(std::string const &text) {
  std::string code;
  char quote = 0;
  bool block = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    char const next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\n') {
      quote = 0;
      code += c;
    } else if (block) {
      if (c == '*' && next == '/') block = false, ++i;
    } else if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0, code += c;
    } else if (c == '/' && next == '*') {
      block = true, ++i;
    } else if (c == '/' && next == '/') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else {
      bool const digit_separator = c == '\'' && i > 0 && std::isalnum(text[i - 1]) != 0;
      if (c == '"' || (c == '\'' && !digit_separator)) quote = c;
      code += c;
    }
  }
  return lines_of(code);
}

std::vector<finding> check_source(std::string const &path, std::string const &text) {
  std::vector<finding> findings;
  if (auto rule = name_rule(path); !rule.empty()) findings.push_back({path, 1, rule});
  auto const lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].size() > widest_line) findings.push_back({path, i + 1, "more than 100 columns"});
    if (!std::ranges::all_of(lines[i], [](unsigned char c) { return c < 128; }))
      findings.push_back({path, i + 1, "not ASCII"});
    static std::regex const nameless(R"re("(another|another one|others|something else)"\);)re");
    if (std::regex_search(lines[i], nameless))
      findings.push_back({path, i + 1, "what came is a value and a place"});
  }
  return findings;
}

std::vector<finding> check_tags(std::string const &path, std::string const &text) {
  std::vector<finding> findings;
  auto const folder = path.substr(0, path.find('/'));
  static std::regex const any(R"((^|\n)(TEMPLATE_)?TEST_CASE\()");
  static std::regex const tagged(
      R"re((TEMPLATE_)?TEST_CASE\(\s*("([^"\\]|\\.)*"\s*)+,\s*"([^"]*)")re");
  for (std::sregex_iterator at(text.begin(), text.end(), any), none; at != none; ++at) {
    auto const first = text.begin() + at->position() + at->length(1);
    std::smatch match;
    bool const found =
        std::regex_search(first, text.end(), match, tagged, std::regex_constants::match_continuous);
    std::string const tags = found ? match[4].str() : "";
    auto const has = [&](std::string const &tag) {
      return tags.find('[' + tag + ']') != std::string::npos;
    };
    auto const add = [&](std::string const &rule) {
      auto const line = 1 + static_cast<std::size_t>(std::count(text.begin(), first, '\n'));
      findings.push_back({path, line, rule});
    };
    if (!has(folder) && !has("gpu") && !has("ranks"))
      add("a test without the tag of its folder, [" + folder + "]");
    std::string const words = match.str();
    if (std::ranges::count(words, '[') != std::ranges::count(words, ']'))
      add("a test's name with an open bracket, behind which CMake joins the names of other tests");
  }
  return findings;
}

std::vector<std::string> circle_in(std::map<std::string, std::set<std::string>> const &includes) {
  std::set<std::string> done;
  std::vector<std::string> way;
  auto const closed = [&](auto const &self, std::string const &file) -> bool {
    if (auto const at = std::ranges::find(way, file); at != way.end()) {
      way.erase(way.begin(), at);
      way.push_back(file);
      return true;
    }
    auto const own = includes.find(file);
    if (own == includes.end() || !done.insert(file).second) return false;
    way.push_back(file);
    for (std::string const &next : own->second)
      if (self(self, next)) return true;
    way.pop_back();
    return false;
  };
  for (auto const &[file, own] : includes)
    if (closed(closed, file)) return way;
  return {};
}

std::vector<finding> check_header(std::string const &path, std::string const &text) {
  auto findings = check_source(path, text);
  auto const add = [&](std::size_t line, std::string const &rule) {
    if (!rule.empty()) findings.push_back({path, line, rule});
  };
  auto const lines = lines_of(text);
  auto const code = code_lines(text);
  add(1, repetition_rule(path));
  auto const folder = folder_of(path);
  if (!folder.empty() && !floors.contains(folder))
    add(1, "no such folder: " + folder + "/ (house.hpp lists them)");
  if (!opens_with_a_sentence(lines))
    add(1, "the first line must be a comment that says in a sentence what the file is");
  if (std::ranges::find(lines, "#pragma once") == lines.end()) add(1, "#pragma once is missing");
  for (std::size_t i = 0; i < code.size(); ++i) {
    add(i + 1, word_rule(path, code[i]));
    // The literal of an #include "..." is emptied in the code, so the line itself is asked.
    auto const header = code[i].find('#') == std::string::npos ? std::nullopt : included(lines[i]);
    if (!header) continue;
    if (lines[i].find('"') != std::string::npos) add(i + 1, "include as <gossip/...>");
    if (!header->starts_with("gossip/")) {
      add(i + 1, door_rule(path, *header));
    } else if (auto const to = folder_of(header->substr(7)); to.empty()) {
      if (!folder.empty()) add(i + 1, "floors: an umbrella header is above every folder");
    } else if (folder.empty() || floors.contains(folder)) {
      add(i + 1, floor_rule(folder, to));
    }
  }
  return findings;
}

}  // namespace gossip::architecture
