// Means of the middle of a neighborhood: by sorting, and both forms to the bit.
#include <gossip/op/neighborhood.hpp>
#include <gossip/op/trimmed_mean.hpp>

#include <gossip/core/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../catch.hpp"

namespace gossip::test::trimmed {

namespace {

/// Numbers of a tile (entries, columns), and a neighborhood of every other of its rows.
template <class T>
struct tile {
  static constexpr std::size_t columns = 75;  // two groups side by side, and some one by one

  std::vector<T> numbers;
  std::vector<std::uint32_t> rows;
  std::vector<T> weights;

  explicit tile(std::size_t entries) : numbers(2 * entries * columns), weights(entries) {
    keyed_random random(3, purpose::user, 0, entries);
    for (T &x : numbers) x = static_cast<T>(random.normal());
    for (std::uint32_t k = 0; k < entries; ++k) rows.push_back(2 * k + 1);
  }
  op::mixing_row<T> row() const { return {rows.data(), weights.data(), rows.size()}; }
};

/// One column of the neighborhood with the `cut` smallest and largest taken off after sorting.
template <class T>
double by_sorting(tile<T> const &all, std::size_t column, std::size_t cut) {
  std::vector<double> numbers;
  for (std::uint32_t const r : all.rows)
    numbers.push_back(all.numbers[r * tile<T>::columns + column]);
  std::ranges::sort(numbers);
  cut = std::min(cut, (numbers.size() - 1) / 2);
  double sum = 0;
  for (std::size_t k = cut; k + cut < numbers.size(); ++k) sum += numbers[k];
  return sum / static_cast<double>(numbers.size() - 2 * cut);
}

template <class F, class T>
std::vector<T> side_by_side(tile<T> const &all) {
  std::vector<T> found(tile<T>::columns);
  detail::on_neighbor_tile<F>(all.row(), all.numbers.data(), tile<T>::columns, found.data(),
                              tile<T>::columns);
  return found;
}

template <class T>
void check_bits(std::vector<T> const &found, tile<T> const &all, auto function) {
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  for (std::size_t c = 0; c < found.size(); ++c) {
    T const one =
        detail::on_neighbors<decltype(function)>(all.row(), all.numbers.data() + c, found.size());
    if (one == one)
      CHECK(std::bit_cast<word>(found[c]) == std::bit_cast<word>(one));
    else
      CHECK(found[c] != found[c]);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("medians and trimmed means are those of sorted numbers", "[op]", float, double) {
  for (std::size_t const entries : {1, 2, 3, 4, 5, 9, 10, 31, 32, 33, 40}) {
    tile<TestType> const all(entries);
    std::vector<TestType> const median = side_by_side<op::coordinate_median>(all),
                                trimmed = side_by_side<op::trimmed_mean<2>>(all);
    double const margin = 8 * std::numeric_limits<TestType>::epsilon();
    for (std::size_t c = 0; c < tile<TestType>::columns; ++c) {
      CHECK(median[c] == Approx(by_sorting(all, c, entries)).margin(margin));
      CHECK(trimmed[c] == Approx(by_sorting(all, c, 2)).margin(margin));
    }
  }
}

// Equal numbers, zeros of both signs, infinite ones and some that are none.
TEMPLATE_TEST_CASE("columns side by side have the bits of one by one", "[op]", float, double) {
  using limits = std::numeric_limits<TestType>;
  for (std::size_t const entries : {1, 2, 3, 6, 10, 32, 33}) {
    tile<TestType> all(entries);
    std::size_t turn = 0;
    for (TestType &x : all.numbers) switch (turn++ % 11) {
        case 0:
          x = TestType(0.5);
          break;
        case 2:
          x = TestType(-0.0);
          break;
        case 3:
          x = TestType(0.0);
          break;
        case 5:
          x = limits::infinity();
          break;
        case 7:
          x = -limits::infinity();
          break;
        case 8:
          x = limits::quiet_NaN();
          break;
        default:
          break;
      }
    check_bits(side_by_side<op::coordinate_median>(all), all, op::coordinate_median{});
    check_bits(side_by_side<op::trimmed_mean<1>>(all), all, op::trimmed_mean<1>{});
    check_bits(side_by_side<op::trimmed_mean<3>>(all), all, op::trimmed_mean<3>{});
  }
}

TEST_CASE("a median among more numbers that are none than others is none", "[op]") {
  double const none = std::numeric_limits<double>::quiet_NaN();
  auto const median = [](std::vector<double> const &numbers) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t k = 0; k < numbers.size(); ++k) rows.push_back(k);
    return op::coordinate_median{}(
        neighbor_column<double>{rows.data(), numbers.data(), numbers.size(), numbers.data(), 1});
  };
  CHECK(std::isnan(median({1, none, none})));
  CHECK(std::isnan(median({none, 1, none})));
  CHECK(median({none, 1, 2}) == 2);
  CHECK(median({3, none, 1, 2, -5}) == 2);
}

}  // namespace gossip::test::trimmed
