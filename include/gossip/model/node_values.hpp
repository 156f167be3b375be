// Numbers of nodes: one for all coordinates of a node's model, or one for each coordinate.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

namespace gossip {

/// Node i takes entry i % size. An entry is a list: of one number, which all coordinates have, or
/// with a number for each of them. {1, 2} are two entries of one number, {{1, 2}, {3, 4}} are two
/// of two.
class node_values {
 public:
  using entry = std::vector<double>;

  node_values() = default;
  node_values(std::vector<double> const &numbers) {
    for (double const number : numbers) push_back(number);
  }
  node_values(std::vector<entry> lists) : entries_(std::move(lists)) {}
  node_values(std::initializer_list<double> numbers) {
    for (double const number : numbers) push_back(number);
  }
  node_values(std::initializer_list<entry> lists) : entries_(lists) {}

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  void push_back(double number) { entries_.push_back({number}); }
  void push_back(entry list) { entries_.push_back(std::move(list)); }

  /// What node i has.
  entry const &of(std::size_t i) const { return entries_[i % entries_.size()]; }

  /// The number of entry k, which must be one for all coordinates.
  double operator[](std::size_t k) const {
    if (entries_[k].size() != 1)
      throw input_error("node_values: entry " + std::to_string(k), "one number for all coordinates",
                        std::to_string(entries_[k].size()) + " numbers");
    return entries_[k][0];
  }

 private:
  std::vector<entry> entries_;
};

}  // namespace gossip
