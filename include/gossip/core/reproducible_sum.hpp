// A sum of many numbers a column that does not depend on their order: fixed point in two integers.
// After J. Demmel, H. D. Nguyen, "Parallel reproducible summation", IEEE Trans. Computers 2015.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossip {

/// Addends are cut to multiples of 2^-60 and must stay below 2^42 / (how many there are), 2^20 for
/// four million; of both parts the sums are exact, so threads and ranks may add in any order.
class reproducible_sum {
 public:
  static constexpr double largest_addend = 0x1p20;
  static constexpr std::size_t most_addends = std::size_t{1} << 22;

  /// parts (2, d): whole multiples of 2^-20 and of 2^-60, both zeroed before.
  constexpr reproducible_sum(std::int64_t *coarse, std::int64_t *fine)
      : coarse_(coarse), fine_(fine) {}

  /// Adds to a column; false if the addend was too large or not a number (it is left out then).
  constexpr bool add_value(double value, std::size_t c) const {
    bool const fits = value < largest_addend && value > -largest_addend;
    double const kept = fits ? value : 0.0;
    auto const whole = static_cast<std::int64_t>(kept * 0x1p20);
    double const rest = kept - static_cast<double>(whole) * 0x1p-20;
    coarse_[c] += whole;
    fine_[c] += static_cast<std::int64_t>(rest * 0x1p60);
    return fits;
  }

  /// Adds a row; false if any addend did not fit.
  template <class T>
  bool add(T const *row, std::size_t d) const {
    bool good = true;
    for (std::size_t c = 0; c < d; ++c) good &= add_value(static_cast<double>(row[c]), c);
    return good;
  }

  /// The parts of a column and of those behind it.
  constexpr std::int64_t *coarse(std::size_t c) const { return coarse_ + c; }
  constexpr std::int64_t *fine(std::size_t c) const { return fine_ + c; }

  /// Adds another sum's column to this one's and clears it there.
  constexpr void take(reproducible_sum const &other, std::size_t c) const {
    coarse_[c] += other.coarse_[c];
    fine_[c] += other.fine_[c];
    other.coarse_[c] = other.fine_[c] = 0;
  }

  /// The sum of a column, rounded once to double's precision from each part, and clears it.
  constexpr double take_value(std::size_t c) const {
    double const value =
        static_cast<double>(coarse_[c]) * 0x1p-20 + static_cast<double>(fine_[c]) * 0x1p-60;
    coarse_[c] = fine_[c] = 0;
    return value;
  }

  /// Forgets what columns first to last hold.
  constexpr void clear(std::size_t first, std::size_t last) const {
    for (std::size_t c = first; c < last; ++c) coarse_[c] = fine_[c] = 0;
  }

 private:
  std::int64_t *coarse_;
  std::int64_t *fine_;
};

}  // namespace gossip
