// The format that a text file of a graph looks like, for the sentence of a reader that cannot use
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossip::detail {

/// Words of a line between blanks, commas and semicolons.
std::size_t count_columns(std::string_view line);

/// Looks at each line of numbers of a file; comments are not among them.
class text_format {
 public:
  /// A line without its comment; blank ones count for METIS, where they are nodes without edges.
  void take(std::string_view line);

  /// The first column of a file counts its lines, and the third has whole numbers: an index, or the
  /// nodes of adjacency lists. Edges with weights would have each node as a source once.
  bool first_column_counts() const { return lines_ >= 3 && counted_ && all_whole_ && fewest_ >= 3; }
  /// Such a file of two columns; its first line "nodes edges" would be an edge from a node to
  /// itself.
  bool is_metis() const;
  bool is_matrix() const {
    return all_bits_ && fewest_ == widest_ && fewest_ == lines_ && lines_ > 2;
  }

  /// ", which looks like ...", or nothing. first: how the file begins.
  std::string guess(std::string_view first) const;

 private:
  static std::string looks_like(std::string const &format, std::string const &remedy) {
    return "; the file looks like " + format + ": " + remedy;
  }

  /// Two words or more that begin with letters, or nothing in the place of the first, an index.
  static bool names_columns(std::string_view line);

  /// Only zeros and ones, as "0", "1.0" or "1.000e+00".
  static bool are_bits(std::string_view line);

  std::vector<std::uint64_t> numbers_, first_line_;
  std::size_t lines_ = 0, blanks_ = 0, entries_ = 0, fewest_ = 0, widest_ = 0;
  std::uint64_t most_ = 0, least_ = ~std::uint64_t{0}, last_first_ = 0;
  bool first_names_columns_ = false, all_whole_ = true, all_bits_ = true;
  bool ascending_ = true, counted_ = true;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/topology/detail/text_format.ipp>
#endif
