// Tables of numbers in text: fields between commas, semicolons, tabs or blanks, with or without a
// header.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

/// A number, also one in quotes; nothing is behind it. What lies beyond double becomes 0 or
/// infinite.
inline bool read_number(std::string_view field, double &value) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  auto const [stop, fault] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (stop != field.data() + field.size() || field.empty()) return false;
  if (fault == std::errc::result_out_of_range)
    value = std::strtod(std::string(field).c_str(), nullptr);
  return fault != std::errc::invalid_argument;
}

/// A field that says that there is no value.
inline bool is_missing(std::string_view field) {
  std::string text;
  for (char const c : field) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array marks{"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "."};
  return std::ranges::find(marks, text) != marks.end();
}

/// The rows of a table. Its first line says what is between its fields: semicolons, else tabs, else
/// commas, else blanks. Fields may be in quotes (RFC 4180), lines may be empty.
class number_table {
 public:
  explicit number_table(std::string const &path) : file_(path) {}

  /// The next row, which has as many numbers as the first; false at the end. The first line is a
  /// header where its fields are names: none is a number, or those that are count the columns, and
  /// none is missing. Throws input_error "path:line: field 3: expected a number, got 'x'".
  bool next(std::vector<double> &numbers) {
    for (std::string_view line; file_.next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      bool const first = separator_ == 0;
      if (first) separator_ = separator_of(line);
      split(line);
      if (first && is_header()) continue;
      numbers.resize(fields_.size());
      for (std::size_t k = 0; k < fields_.size(); ++k)
        if (!read_number(fields_[k], numbers[k])) refuse(k);
      if (columns_ == 0) columns_ = numbers.size();
      if (numbers.size() != columns_)
        file_.fail(std::to_string(columns_) + " numbers", std::to_string(numbers.size()));
      return true;
    }
    return false;
  }

  /// The place of the last row: "path:line".
  std::string where() const { return file_.path() + ":" + std::to_string(file_.number()); }

 private:
  static char separator_of(std::string_view line) {
    for (char const c : {';', '\t', ','})
      if (line.find(c) != std::string_view::npos) return c;
    return ' ';
  }

  static std::string_view trimmed(std::string_view field) {
    std::size_t const first = field.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return field.substr(first, field.find_last_not_of(" \t") - first + 1);
  }

  void split(std::string_view line) {
    fields_.clear();
    if (separator_ == ' ') line = trimmed(line);
    for (std::size_t at = 0; at <= line.size();) {
      std::size_t end = at;
      for (bool quoted = false; end < line.size() && (quoted || line[end] != separator_); ++end)
        if (line[end] == '"') quoted = !quoted;
      fields_.push_back(unquoted(trimmed(line.substr(at, end - at))));
      at = end + 1;
      while (separator_ == ' ' && at < line.size() && line[at] == ' ') ++at;
    }
  }

  static std::string unquoted(std::string_view field) {
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
    std::string text;
    for (std::size_t k = 1; k + 1 < field.size(); ++k) {
      text += field[k];
      if (field[k] == '"' && field[k + 1] == '"') ++k;
    }
    return std::string(trimmed(text));
  }

  /// Names, among which pandas writes the numbers of columns that have none. Throws input_error
  /// where a name is missing.
  bool is_header() const {
    std::size_t names = 0;
    bool counts = true;
    double before = -1;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      double value = 0;
      if (read_number(fields_[k], value)) {
        counts = counts && (value == before + 1 || (before == -1 && value == 1));
        before = value;
      } else if (is_name(fields_[k])) {
        ++names;
      } else if (!fields_[k].empty()) {
        return false;
      }
    }
    if (names == 0 || !counts) return false;
    auto const unnamed = std::ranges::find_if(fields_, [](auto const &f) { return f.empty(); });
    if (unnamed != fields_.end())
      throw input_error(where(), "a name for each column, or numbers",
                        "none for column " + std::to_string(unnamed - fields_.begin() + 1) +
                            ", as an index has that pandas writes without index=False");
    return true;
  }

  /// A text that begins with a letter and is no mark of a missing value.
  static bool is_name(std::string_view field) {
    if (field.empty() || is_missing(field)) return false;
    unsigned char const first = static_cast<unsigned char>(field.front());
    return std::isalpha(first) != 0 || first == '_' || first >= 0x80;
  }

  [[noreturn]] void refuse(std::size_t k) const {
    throw input_error(where() + ": field " + std::to_string(k + 1), "a number",
                      fields_[k].empty() ? "nothing" : lines::quoted(fields_[k]));
  }

  lines file_;
  char separator_ = 0;
  std::size_t columns_ = 0;
  std::vector<std::string> fields_;
};

}  // namespace gossip::detail
