// Definitions of data/table.hpp.
#pragma once

#include <gossip/data/table.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include <gossip/core/inline.hpp>

namespace gossip::detail {

/// A number, also one in quotes; nothing is behind it. What lies beyond double becomes 0 or
/// infinite.
GOSSIP_INLINE bool read_number(std::string_view field, double &value) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  auto const [stop, fault] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (stop != field.data() + field.size() || field.empty()) return false;
  if (fault == std::errc::result_out_of_range)
    value = std::strtod(std::string(field).c_str(), nullptr);
  return fault != std::errc::invalid_argument;
}

/// A field that says that there is no value.
GOSSIP_INLINE bool is_missing(std::string_view field) {
  std::string text;
  for (char const c : field) text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array marks{"", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "?", "-", "."};
  return std::ranges::find(marks, text) != marks.end();
}

GOSSIP_INLINE bool number_table::next(std::vector<double> &numbers) {
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

GOSSIP_INLINE void number_table::split(std::string_view line) {
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

GOSSIP_INLINE std::string number_table::unquoted(std::string_view field) {
  if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string(field);
  std::string text;
  for (std::size_t k = 1; k + 1 < field.size(); ++k) {
    text += field[k];
    if (field[k] == '"' && field[k + 1] == '"') ++k;
  }
  return std::string(trimmed(text));
}

GOSSIP_INLINE bool number_table::is_header() const {
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

GOSSIP_INLINE void number_table::refuse_count() const {
  if (fields_.size() < 3) return;
  for (std::size_t k = 0; k < fields_.size(); ++k)
    if (fields_[k] != std::to_string(k)) return;
  throw input_error(where(), "names of columns, or a sample",
                    "numbers from 0 to " + std::to_string(fields_.size() - 1) +
                        ", which could be both: pandas writes no header with header=False, and "
                        "a sample may begin with 0.0");
}

}  // namespace gossip::detail
