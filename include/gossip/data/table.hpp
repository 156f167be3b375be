// Tables of numbers in text: fields between commas, semicolons, tabs or blanks, with or without a
// header.
#pragma once

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

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
  bool next(std::vector<double> &numbers);

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

  void split(std::string_view line);

  static std::string unquoted(std::string_view field);

  /// Names alone, or names between at least two numbers that count the columns, as pandas writes
  /// them. Throws input_error where a name is missing, and where a line could be both: numbers
  /// alone that count the columns.
  bool is_header() const;

  /// Throws input_error for 0,1,2: names that pandas gives to columns without one, or a sample.
  void refuse_count() const;

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

#ifndef GOSSIP_COMPILED
#include <gossip/data/detail/table.ipp>
#endif
