// A run that cannot go on because of the numbers of one row, until the plan has told where they
// come from.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/plan/operation.hpp>

namespace gossip {

/// The number of a row that is furthest from 0, the first of those that are no numbers or infinite.
struct extreme_number {
  double value = 0;
  std::size_t column = 0;
};

/// Of rows of any element.
template <class Row>
extreme_number extreme_of(std::span<Row> row) {
  extreme_number found;
  for (std::size_t c = 0; c < row.size(); ++c) {
    double const x = static_cast<double>(row[c]);
    if (!std::isfinite(x)) return {x, c};
    if (std::abs(x) > std::abs(found.value)) found = {x, c};
  }
  return found;
}

/// The model of a training that failed, in words.
inline std::string model_in_words(extreme_number const &x) {
  std::string const number = detail::rounded_text(x.value), at = std::to_string(x.column);
  if (!std::isfinite(x.value)) return "its model has " + number + " in column " + at;
  return "the largest number of its model is " + number + ", in column " + at;
}

/// What an operation met, in a sentence that does not say why.
class row_fault : public diverged {
 public:
  /// at: none where it was met at the end of the run.
  row_fault(std::string const &what, std::optional<operation> const &at, node owner,
            std::uint8_t slot = 0)
      : diverged(what), at_(at), owner_(owner), slot_(slot) {}

  std::optional<operation> const &at() const { return at_; }
  node owner() const { return owner_; }
  std::uint8_t slot() const { return slot_; }

 private:
  std::optional<operation> at_;
  node owner_;
  std::uint8_t slot_;
};

}  // namespace gossip
