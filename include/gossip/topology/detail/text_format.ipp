// Definitions of topology/detail/text_format.hpp.
#pragma once

#include <gossip/topology/detail/text_format.hpp>

#include <algorithm>

#include <gossip/core/inline.hpp>
#include <gossip/core/lines.hpp>

namespace gossip::detail {

GOSSIP_INLINE std::size_t count_columns(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t,;", at)) != line.npos; ++count)
    at = std::min(line.find_first_of(" \t,;", at), line.size());
  return count;
}

GOSSIP_INLINE void text_format::take(std::string_view line) {
  std::string_view rest = line;
  numbers_.clear();
  for (std::uint64_t number = 0; take_number(rest, number);) numbers_.push_back(number);
  bool const whole = rest.find_first_not_of(" \t,;") == std::string_view::npos;
  if (lines_ == 0) {
    first_line_ = whole ? numbers_ : std::vector<std::uint64_t>();
    first_names_columns_ = names_columns(line);
  } else {
    entries_ += numbers_.size();
    for (std::uint64_t const number : numbers_) {
      most_ = std::max(most_, number);
      least_ = std::min(least_, number);
    }
  }
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    ++blanks_;
    return;
  }
  std::size_t const columns = count_columns(line);
  fewest_ = lines_ == 0 ? columns : std::min(fewest_, columns);
  widest_ = std::max(widest_, columns);
  all_whole_ = all_whole_ && whole;
  all_bits_ = all_bits_ && are_bits(line);
  if (whole && !numbers_.empty()) {
    ascending_ = ascending_ && (lines_ == 0 || numbers_.front() > last_first_);
    counted_ = counted_ && (lines_ == 0 || numbers_.front() == last_first_ + 1);
    last_first_ = numbers_.front();
  }
  ++lines_;
}

GOSSIP_INLINE bool text_format::is_metis() const {
  return first_line_.size() >= 2 && first_line_.size() <= 4 && least_ >= 1 && lines_ > 1 &&
         lines_ - 1 + blanks_ >= first_line_[0] && lines_ - 1 <= first_line_[0] &&
         most_ <= first_line_[0] && all_whole_ &&
         (entries_ == 2 * first_line_[1] || first_line_.size() > 2);
}

GOSSIP_INLINE std::string text_format::guess(std::string_view first) const {
  auto const begins = [&](std::string_view word) { return first.substr(0, word.size()) == word; };
  if (begins("*")) return looks_like("Pajek", "write_graphml of networkx makes GraphML of it");
  if (begins("graph") || begins("Creator") || begins("node"))
    return looks_like("GML or DOT", "write_graphml of networkx makes GraphML of it");
  if (begins(">>")) return looks_like("graph6 or sparse6", "write_edgelist makes an edge list");
  if (is_metis()) return looks_like("METIS", "the topology metis_graph, \"metis\", reads it");
  if (is_matrix())
    return looks_like("an adjacency matrix", "the topology adjacency_matrix reads it");
  if (first_names_columns_)
    return looks_like("a table with a header", "use two columns of node numbers without a header");
  if (first_column_counts())
    return looks_like(
        "adjacency lists, or a table with line numbers in its first column",
        "the topology adjacency_list reads adjacency lists; leave that column out of a table");
  if (lines_ >= 3 && ascending_ && all_whole_ && widest_ != fewest_)
    return looks_like("adjacency lists", "the topology adjacency_list reads them");
  return "";
}

GOSSIP_INLINE bool text_format::names_columns(std::string_view line) {
  std::size_t names = 0;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t,;", at)) != line.npos; ++names) {
    char const first = line[at] == '"' && at + 1 < line.size() ? line[at + 1] : line[at];
    if (!((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))) return false;
    at = std::min(line.find_first_of(" \t,;", at), line.size());
  }
  return names >= 2;
}

GOSSIP_INLINE bool text_format::are_bits(std::string_view line) {
  while (true) {
    std::size_t const at = line.find_first_not_of(" \t,;");
    if (at == std::string_view::npos) return true;
    std::string_view const word = line.substr(at, line.find_first_of(" \t,;", at) - at);
    bool const zeros = word.size() == 1 ||
                       (word[1] == '.' && word.substr(2).find_first_not_of("0e+-") == word.npos);
    if ((word[0] != '0' && word[0] != '1') || !zeros) return false;
    line.remove_prefix(at + word.size());
  }
}

}  // namespace gossip::detail
