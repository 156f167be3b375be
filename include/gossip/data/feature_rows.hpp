// The stored features of samples, a row a sample, in one or more blocks of memory that are kept
// as long as a copy of the rows is: vectors, or files mapped into memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gossip/core/view.hpp>

namespace gossip {

/// Rows of V, sample-major. Copies and parts share the memory, which nobody writes to.
template <class V>
class feature_rows {
 public:
  /// Consecutive rows and what keeps their memory.
  struct block {
    rows_view<V const> rows;  // (samples, features), with a stride between samples
    std::size_t begin;        // the number of its first row among all
    std::shared_ptr<void const> owner;
  };

  feature_rows() = default;

  /// Rows of the given number of columns, one right after another; columns must divide the size.
  feature_rows(std::vector<V> values, std::size_t columns) {
    auto const owner = std::make_shared<std::vector<V> const>(std::move(values));
    append({owner->data(), owner->size() / columns, columns, columns}, owner);
  }

  /// Adds rows behind those there are, as wide as they.
  void append(rows_view<V const> rows, std::shared_ptr<void const> owner) {
    if (rows.rows == 0) return;
    blocks_.push_back({rows, size(), std::move(owner)});
  }

  std::size_t size() const {
    return blocks_.empty() ? 0 : blocks_.back().begin + blocks_.back().rows.rows;
  }
  std::size_t columns() const { return blocks_.empty() ? 0 : blocks_.front().rows.columns; }
  std::span<block const> blocks() const { return blocks_; }

  /// Row i, which is below size(); logarithmic in the number of blocks.
  std::span<V const> operator[](std::size_t i) const {
    block const &s = *holder(i);
    return s.rows[i - s.begin];
  }

  /// Rows first to first + count, which are below size(), of the same memory.
  feature_rows part(std::size_t first, std::size_t count) const {
    feature_rows rows;
    for (auto s = holder(first); rows.size() < count; ++s) {
      std::size_t const skipped = first + rows.size() - s->begin;
      std::size_t const taken = std::min(s->rows.rows - skipped, count - rows.size());
      rows.append({s->rows[skipped].data(), taken, s->rows.columns, s->rows.stride}, s->owner);
    }
    return rows;
  }

 private:
  auto holder(std::size_t i) const {
    auto const after = [](std::size_t row, block const &s) { return row < s.begin; };
    return std::upper_bound(blocks_.begin(), blocks_.end(), i, after) - 1;
  }

  std::vector<block> blocks_;
};

}  // namespace gossip
