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
/// commas, else blanks. Fields may be in quotes (RFC 4180), lines may be empty, and comments where
/// they begin with #, as numpy.savetxt writes a header.
class number_table {
 public:
  explicit number_table(std::string const &path) : file_(path) {}

  /// The next row, which has as many numbers as the first line has fields; false at the end. The
  /// first line is a header where its fields are names: none is a number, or those that are count
  /// the columns, and none is missing. Throws input_error "path:line: field 3: expected a number,
  /// got 'x'".
  bool next(std::vector<double> &numbers) {
    for (std::string_view line; file_.next(line);) {
      std::size_t const begin = line.find_first_not_of(" \t");
      if (begin == std::string_view::npos || line[begin] == '#') continue;
      bool const first = separator_ == 0;
      if (first) separator_ = separator_of(line);
      split(line);
      if (first) columns_ = fields_.size();
      if (first && is_header()) {
        header_ = fields_;
        continue;
      }
      numbers.resize(fields_.size());
      for (std::size_t k = 0; k < fields_.size(); ++k)
        if (!read_number(fields_[k], numbers[k])) refuse(k);
      if (numbers.size() != columns_)
        file_.fail(std::to_string(columns_) + " numbers", std::to_string(numbers.size()));
      return true;
    }
    return false;
  }

  /// The names of the columns, once a row has been read; none where the table has no header.
  std::vector<std::string> const &header() const { return header_; }

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

  /// Names alone, or names between at least two numbers that count the columns, as pandas writes
  /// them. Throws input_error where a name is missing, and where a line could be both: numbers
  /// alone that count the columns.
  bool is_header() const {
    std::size_t names = 0, unsure = 0, numbers = 0, unnamed = 0;
    double value = 0;
    bool counts_numbers = true, counts_columns = true;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (fields_[k].empty() || fields_[k].starts_with("Unnamed: ")) {
        unnamed = k + 1;
      } else if (read_number(fields_[k], value)) {
        counts_numbers = counts_numbers && value == static_cast<double>(numbers);
        counts_columns = counts_columns && value == static_cast<double>(k);
        ++numbers;
      } else if (is_missing(fields_[k])) {
        return false;
      } else {
        ++(begins_with_letter(fields_[k]) ? names : unsure);
      }
    }
    if (numbers == fields_.size()) refuse_count();
    if (names == 0) return false;
    bool const counts = (counts_numbers || counts_columns) && numbers >= 2 && unsure == 0;
    if (numbers > 0 && !counts) return false;
    if (unnamed > 0)
      throw input_error(where(), "a name for each column, or numbers",
                        "no name for column " + std::to_string(unnamed) +
                            ", as for an index that pandas writes without index=False");
    return true;
  }

  /// Throws input_error for 0,1,2: names that pandas gives to columns without one, or a sample.
  void refuse_count() const {
    if (fields_.size() < 3) return;
    for (std::size_t k = 0; k < fields_.size(); ++k)
      if (fields_[k] != std::to_string(k)) return;
    throw input_error(where(), "names of columns, or a sample",
                      "numbers from 0 to " + std::to_string(fields_.size() - 1) +
                          ", which could be both: pandas writes no header with header=False, and "
                          "a sample may begin with 0.0");
  }

  /// What begins otherwise may be a number that was spoiled.
  static bool begins_with_letter(std::string_view field) {
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
  std::vector<std::string> header_;
  std::vector<std::string> fields_;
};

}  // namespace gossip::detail
