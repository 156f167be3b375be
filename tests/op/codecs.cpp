// Codecs: messages and what they decode to, to the bit, and what each is known to leave out.
#include <gossip/codec/cast.hpp>
#include <gossip/codec/chunked_top_k.hpp>
#include <gossip/codec/cosine_top_k.hpp>
#include <gossip/codec/int8.hpp>
#include <gossip/codec/qsgd.hpp>
#include <gossip/codec/random_k.hpp>
#include <gossip/codec/sign.hpp>
#include <gossip/codec/top_k.hpp>

#include <gossip/core/random.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/op/row_reduction.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "teams.hpp"

namespace gossip::test::codecs {

namespace {

auto all_codecs() {
  return std::tuple{codec::cast<bf16>{},
                    codec::cast<fp16>{},
                    codec::top_k{.share = 0.1},
                    codec::chunked_top_k{.chunk = 50, .kept = 7},
                    codec::chunked_top_k{.chunk = 1, .kept = 1},
                    codec::cosine_top_k{},
                    codec::cosine_top_k{.chunk = 100, .kept = 99},
                    codec::cosine_top_k{.chunk = 3, .kept = 3},
                    codec::random_k{.share = 0.1},
                    codec::random_k{.share = 0.3, .unbiased = true},
                    codec::random_k{.share = 1},
                    codec::qsgd{.levels = 1},
                    codec::qsgd{.levels = 15, .scaled = true},
                    codec::qsgd{.levels = 32767},
                    codec::sign{},
                    codec::int8{}};
}

template <class Codec, class T, class Team = op::one_thread>
std::vector<T> left_of(Codec const &codec, std::vector<T> row, double draw, Team const &team = {}) {
  using function = typename Codec::function;
  auto const c = coefficients_of(codec, row.size(), [=] { return draw; });
  T *const x[] = {row.data()};
  if constexpr (whole_row_function<function>)
    function{}(team, row.size(), c.data(), x);
  else
    for (T &one : row) function{}(static_cast<T const *>(nullptr), &one);
  return row;
}

template <class T>
std::vector<T> normal_row(std::size_t columns, std::uint64_t seed = 1) {
  keyed_random random(seed, purpose::user, 0, columns);
  std::vector<T> row(columns);
  for (T &x : row) x = static_cast<T>(random.normal());
  return row;
}

/// Rows of many kinds: normal, equal magnitudes, hardly any numbers, zeros of both signs.
template <class T>
std::vector<std::vector<T>> rows(std::size_t columns) {
  std::vector<T> const normal = normal_row<T>(columns);
  std::vector<std::vector<T>> all{normal, normal, normal, normal, std::vector<T>(columns)};
  for (std::size_t c = 0; c < columns; ++c) {
    all[1][c] = normal[c] < 0 ? T(-0.75) : T(0.75);
    all[2][c] = c % 97 == 3 ? normal[c] : T(c % 2 == 0 ? 0.0 : -0.0);
    all[3][c] = normal[c] * std::exp2(static_cast<T>(c % 40) - T(20));
  }
  return all;
}

template <class T>
std::vector<codec::bits_of<T>> bits(std::vector<T> const &row) {
  std::vector<codec::bits_of<T>> all;
  for (T const x : row) all.push_back(std::bit_cast<codec::bits_of<T>>(x));
  return all;
}

double squared_norm(std::vector<double> const &v) {
  double sum = 0;
  for (double const x : v) sum += x * x;
  return sum;
}
double squared_distance(std::vector<double> v, std::vector<double> const &w) {
  for (std::size_t c = 0; c < v.size(); ++c) v[c] -= w[c];
  return squared_norm(v);
}

double draw_number(std::uint64_t k) {
  return keyed_random(7, purpose::user, 1, k).uniform();
}

}  // namespace

TEMPLATE_TEST_CASE("messages have the bytes of their codec and decode to the row that it leaves",
                   "[op][codec]", float, double) {
  auto const check = [](auto const &codec) {
    codec.check();
    for (std::size_t const columns : {1, 2, 3, 17, 63, 255, 256, 257, 1000, 5003})
      for (std::vector<TestType> const &row : rows<TestType>(columns)) {
        double const draw = draw_number(columns);
        CAPTURE(codec.name, columns, row[0]);
        std::vector<TestType> const left = left_of(codec, row, draw);
        auto const message = codec.encoded(std::span<TestType const>(row), draw);
        CHECK(message.size() == codec.bytes(columns, sizeof(TestType)));
        std::vector<TestType> decoded(columns, TestType(99));
        codec.decode(std::span<std::byte const>(message), std::span<TestType>(decoded));
        CHECK(bits(decoded) == bits(left));
        CHECK(bits(left_of(codec, row, draw, from_behind{})) == bits(left));
      }
  };
  std::apply([&](auto const &...codec) { (check(codec), ...); }, all_codecs());
}

TEST_CASE("a message that is cut, or of another row, is refused", "[op][codec]") {
  std::vector<float> const row = normal_row<float>(300);
  std::vector<float> other(300);
  auto const check = [&](auto const &codec) {
    auto message = codec.encoded(std::span<float const>(row), 0.5);
    message.pop_back();
    CHECK_THROWS_WITH(codec.decode(std::span<std::byte const>(message), std::span<float>(other)),
                      contains("codec: a message ends after"));
  };
  std::apply([&](auto const &...codec) { (check(codec), ...); }, all_codecs());
  codec::top_k const three{.share = 0.01};
  std::iota(other.begin(), other.end(), 0.0F);  // the last three are the largest
  auto const message = three.encoded(std::span<float const>(other));
  std::vector<float> shorter(298);
  CHECK_THROWS_WITH(three.decode(std::span<std::byte const>(message), std::span<float>(shorter)),
                    contains("codec: a message names column 298 of 298"));
}

// Powers of two and small whole numbers, so that the order of adding shows in every tree but one.
TEST_CASE("a team sums by the tree of reductions", "[op]") {
  for (std::size_t const columns : {0, 1, 15, 16, 17, 2047, 2048, 2049, 10'000, 70'001}) {
    std::vector<double> row = normal_row<double>(columns);
    for (std::size_t c = 0; c < columns; ++c) row[c] *= std::exp2(static_cast<double>(c % 50));
    std::vector<double> blocks;
    double const *const x[] = {row.data()};
    for (std::size_t first = 0; first < columns; first += op::reduction_tree::block) {
      double lanes[op::reduction_tree::lanes]{};
      double const *const part[] = {x[0] + first};
      detail::add_terms<op::squared_norm>(
          part, std::min(op::reduction_tree::block, columns - first), lanes);
      blocks.push_back(op::reduction_tree::add_lanes(lanes));
    }
    double const expected = op::reduction_tree::add_blocks(blocks.data(), blocks.size());
    auto const term = [&](std::size_t c) { return row[c] * row[c]; };
    CHECK(op::one_thread{}.sum(columns, term) == expected);
    CHECK(from_behind{}.sum(columns, term) == expected);
  }
}

// 127 steps of 0.5; halves go to the even number.
TEST_CASE("8-bit numbers are multiples of a step, halves even", "[op][codec]") {
  std::vector<double> const row{63.5, 0.25, 0.75, -1.25, -0.25, 31.9, 0};
  CHECK(left_of(codec::int8{}, row, 0) == std::vector<double>{63.5, 0, 1, -1, 0, 32, 0});
}

TEMPLATE_TEST_CASE("8-bit numbers are off by a 254th of their block's largest", "[op][codec]",
                   float, double) {
  for (std::vector<TestType> const &row : rows<TestType>(1000)) {
    auto const left = left_of(codec::int8{}, row, 0);
    for (std::size_t first = 0; first < 1000; first += 256) {
      TestType most{0};
      std::size_t const last = std::min<std::size_t>(first + 256, 1000);
      for (std::size_t c = first; c < last; ++c) most = std::max(most, std::abs(row[c]));
      for (std::size_t c = first; c < last; ++c)
        CHECK(std::abs(left[c] - row[c]) <=
              most / 254 * (1 + 300 * std::numeric_limits<TestType>::epsilon()));
    }
  }
}

TEST_CASE("numbers that are not finite do not hide in a message", "[op][codec]") {
  for (float const bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    std::vector<float> row = normal_row<float>(600);
    row[300] = bad;
    auto const blocks = left_of(codec::int8{}, row, 0);
    for (std::size_t c = 0; c < 600; ++c) CHECK(std::isfinite(blocks[c]) == (c < 256 || c >= 512));
    auto const chunks = left_of(codec::cosine_top_k{}, row, 0);
    for (std::size_t c = 0; c < 600; ++c) CHECK(std::isfinite(chunks[c]) == (c / 64 != 300 / 64));
    for (float const x : left_of(codec::qsgd{}, row, 0.5)) CHECK(!std::isfinite(x));
    for (float const x : left_of(codec::sign{}, row, 0)) CHECK(!std::isfinite(x));
  }
}

// |v - Q(v)|^2 = |v|^2 - |v|_1^2 / d.
TEST_CASE("signs leave out what the mean magnitude does not have", "[op][codec]") {
  for (std::size_t const columns : {1, 10, 5003}) {
    std::vector<double> const row = normal_row<double>(columns);
    double sum = 0;
    for (double const x : row) sum += std::abs(x);
    double const expected = squared_norm(row) - sum * sum / static_cast<double>(columns);
    CHECK(squared_distance(row, left_of(codec::sign{}, row, 0)) ==
          Approx(expected).epsilon(1e-12).margin(1e-14));
  }
  CHECK(left_of(codec::sign{}, std::vector<double>{-3, 0, -0.0, 1}, 0) ==
        std::vector<double>{-1, 1, 1, 1});
}

// Rows long enough for a sample, sorted by magnitude, then column.
TEMPLATE_TEST_CASE("the largest numbers of long rows are those of a sort", "[op][codec]", float,
                   double) {
  constexpr std::size_t columns = 70'003;
  std::vector<std::vector<TestType>> all = rows<TestType>(columns);
  std::vector<TestType> uneven = all[0];
  for (std::size_t c = 0; c < columns; ++c)  // samples say little about it
    uneven[c] *= c % 16 == 5 ? TestType(1000) : c < 40 ? TestType(1e6) : TestType(1e-3);
  std::ranges::sort(all[3]);
  all.push_back(uneven);
  for (std::vector<TestType> const &row : all) {
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t c) { return std::abs(row[c]); });
    for (std::size_t const k :
         {std::size_t{1}, std::size_t{39}, columns / 100, columns / 3, columns - 40, columns - 1}) {
      std::vector<TestType> expected(columns), left = row;
      for (std::size_t at = 0; at < k; ++at) expected[order[at]] = row[order[at]];
      op::largest_numbers{}(op::one_thread{}, left.data(), columns, k);
      CHECK(left == expected);
    }
    std::vector<TestType> none = row;
    op::largest_numbers{}(op::one_thread{}, none.data(), columns, 0);
    CHECK(none == std::vector<TestType>(columns));
  }
}

TEST_CASE("the largest of chunks are those of each chunk by itself", "[op][codec]") {
  codec::chunked_top_k const chunks{.chunk = 64, .kept = 5};
  for (std::vector<double> const &row : rows<double>(1000)) {
    auto const left = left_of(chunks, row, 0);
    for (std::size_t first = 0; first < row.size(); first += 64) {
      auto const begin = row.begin() + static_cast<std::ptrdiff_t>(first);
      std::vector<double> const one(begin, begin + std::min<std::ptrdiff_t>(64, row.end() - begin));
      auto const expected =
          left_of(codec::top_k{.share = 5.0 / static_cast<double>(one.size())}, one, 0);
      for (std::size_t c = 0; c < one.size(); ++c) CHECK(left[first + c] == expected[c]);
    }
    CHECK(squared_distance(row, left) <= (1 - 5.0 / 64) * squared_norm(row));
  }
}

// The formula with the cosine of the C library, a stable sort, and the transposed formula, on rows
// whose frequencies differ in magnitude.
TEST_CASE("the largest of transformed chunks are those of the formula", "[op][codec]") {
  std::vector<std::vector<double>> const all = rows<double>(1003);
  for (std::vector<double> const &row : {all[0], all[3], all[4]}) {
    auto const left = left_of(codec::cosine_top_k{.chunk = 20, .kept = 6}, row, 0);
    for (std::size_t first = 0; first < row.size(); first += 20) {
      std::size_t const n = std::min<std::size_t>(20, row.size() - first);
      auto const cosine = [&](std::size_t i, std::size_t k) {
        double const angle = std::numbers::pi * static_cast<double>((2 * i + 1) * k) / 2;
        return std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(n)) *
               std::cos(angle / static_cast<double>(n));
      };
      std::vector<double> y(n), expected(n);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i) y[k] += row[first + i] * cosine(i, k);
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::greater{},
                               [&](std::size_t k) { return std::abs(y[k]); });
      for (std::size_t at = 0; at < std::min<std::size_t>(6, n); ++at)
        for (std::size_t i = 0; i < n; ++i) expected[i] += y[order[at]] * cosine(i, order[at]);
      for (std::size_t i = 0; i < n; ++i)
        CHECK(left[first + i] == Approx(expected[i]).margin(1e-12));
    }
  }
}

// What is left out of a row is at right angles to what is left: squared norms add up.
TEST_CASE("transformed chunks leave out at most their share", "[op][codec]") {
  for (std::size_t const kept : {1, 5, 8, 63, 64})
    for (std::vector<double> const &row : rows<double>(1000)) {
      auto const left = left_of(codec::cosine_top_k{.chunk = 64, .kept = kept}, row, 0);
      double const whole = squared_norm(row), lost = squared_distance(row, left);
      CHECK(lost <= (1 - static_cast<double>(kept) / 64) * whole + 1e-24 * whole);
      CHECK(lost + squared_norm(left) == Approx(whole).epsilon(1e-12));
      if (kept == 64) CHECK(left == row);
    }
}

// Frequency 0 is half the sum, frequency 2 half of x_0 - x_1 - x_2 + x_3; a last column is its own.
TEST_CASE("a transformed chunk of four is that by hand", "[op][codec]") {
  codec::cosine_top_k const one{.chunk = 4, .kept = 1};
  auto const is = [&](std::vector<double> const &row, std::vector<double> const &expected) {
    auto const left = left_of(one, row, 0);
    for (std::size_t c = 0; c < row.size(); ++c)
      CHECK(left[c] == Approx(expected[c]).margin(1e-15));
  };
  is({3, 3, 3, 3, 1, -1, -1, 1}, {3, 3, 3, 3, 1, -1, -1, 1});
  is({2, 4, 4, 2, 9}, {3, 3, 3, 3, 9});       // 6, and -2 is left out
  is({5, -5, -3, 7}, {5, -5, -5, 5});         // 10, and 2 is left out
  CHECK(one.bytes(9, sizeof(double)) == 25);  // three numbers, and two bits for each
  CHECK(codec::cosine_top_k{}.bytes(128, sizeof(float)) == 2 * 8 * 4 + 2 * 8 * 6 / 8);
}

TEST_CASE("every column has a place of its own, the same for every team", "[op][codec]") {
  auto const places_of = [](auto const &team, std::size_t columns, double draw) {
    std::vector<std::uint32_t> all(columns);
    op::with_places(team, columns, draw,
                    [&](std::size_t first, std::size_t last, std::uint32_t const *places) {
                      for (std::size_t i = first; i < last; ++i) all[i] = places[i - first];
                    });
    return all;
  };
  for (std::size_t const columns : {1, 2, 3, 4, 5, 17, 64, 1000, 1023, 1024, 1025, 5003, 131073}) {
    std::vector<std::uint32_t> sorted = places_of(op::one_thread{}, columns, 0.375);
    CHECK(places_of(from_behind{}, columns, 0.375) == sorted);
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < columns; ++i) REQUIRE(sorted[i] == i);
  }
}

TEST_CASE("random columns are those of the first places", "[op][codec]") {
  for (std::size_t const columns : {2, 17, 5003})
    for (std::size_t const k : {std::size_t{1}, (columns + 1) / 2, columns}) {
      std::vector<std::uint32_t> places(columns);
      op::column_permutation(columns, 0.375).places(0, columns, places.data());
      std::vector<float> expected(columns), row(columns, 1.0F);
      for (std::size_t c = 0; c < columns; ++c) expected[c] = places[c] < k ? 2.0F : 0.0F;
      double const c[] = {static_cast<double>(k), 2.0, 0.375};
      float *const x[] = {row.data()};
      op::random_columns{}(op::one_thread{}, columns, c, x);
      CHECK(row == expected);
    }
}

// Pairs of columns that 10,000 draws of a tenth of 1,100 columns choose together: 99 each, of
// which 604,450 have a mean square deviation of 99 (1 - 0.0099), measured to a thousandth or so.
TEST_CASE("pairs of columns are drawn as often as any other", "[op][codec]") {
  constexpr std::size_t columns = 1100, k = 110, draws = 10'000;
  std::vector<std::uint16_t> together(columns * columns);
  for (std::uint64_t turn = 0; turn < draws; ++turn) {
    std::vector<std::uint32_t> places(columns), chosen;
    op::column_permutation(columns, draw_number(turn)).places(0, columns, places.data());
    for (std::uint32_t c = 0; c < columns; ++c)
      if (places[c] < k) chosen.push_back(c);
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = a + 1; b < k; ++b) ++together[chosen[a] * columns + chosen[b]];
  }
  double const pairs = columns * (columns - 1) / 2.0, each = draws * (k * (k - 1) / 2.0) / pairs;
  double squares = 0;
  for (std::size_t a = 0; a < columns; ++a)
    for (std::size_t b = a + 1; b < columns; ++b)
      squares += (together[a * columns + b] - each) * (together[a * columns + b] - each);
  CHECK(squares / pairs == Approx(each * (1 - each / draws)).epsilon(0.03));
}

// 6,000 draws of 2 columns of 5: ten sets, of 600 each with a deviation of 23; five of them.
TEST_CASE("every set of columns is drawn as often as any other", "[op][codec]") {
  std::array<int, 32> count{};
  for (std::uint64_t k = 0; k < 6000; ++k) {
    std::size_t set = 0;
    auto const left =
        left_of(codec::random_k{.share = 0.4}, std::vector<float>(5, 1), draw_number(k));
    for (std::size_t c = 0; c < 5; ++c) set |= left[c] != 0 ? std::size_t{1} << c : 0;
    ++count[set];
  }
  for (std::size_t set = 0; set < 32; ++set)
    CHECK(std::abs(count[set] - (std::popcount(set) == 2 ? 600 : 0)) <= 116);
}

namespace {

/// Means over draws: of what is left, and of |v - Q(v)|^2.
template <class Codec>
std::pair<std::vector<double>, double> means(Codec const &codec, std::vector<double> const &row,
                                             std::uint64_t count) {
  std::vector<double> mean(row.size());
  double lost = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    auto const left = left_of(codec, row, draw_number(k));
    for (std::size_t c = 0; c < row.size(); ++c) mean[c] += left[c] / static_cast<double>(count);
    lost += squared_distance(row, left) / static_cast<double>(count);
  }
  return {mean, lost};
}

}  // namespace

// 4,000 draws; the mean of all columns is |mean - v|^2 = lost / 4,000 on average.
TEST_CASE("random columns lose their share, or are right on average", "[op][codec]") {
  std::vector<double> const row = normal_row<double>(64);
  auto const biased = means(codec::random_k{.share = 0.125}, row, 4000);
  CHECK(biased.second == Approx((1 - 0.125) * squared_norm(row)).epsilon(0.01));
  auto const unbiased = means(codec::random_k{.share = 0.125, .unbiased = true}, row, 4000);
  CHECK(unbiased.second == Approx((8 - 1) * squared_norm(row)).epsilon(0.05));
  CHECK(squared_distance(unbiased.first, row) < 2 * unbiased.second / 4000);
}

// Variance by hand: a level is off by f (1 - f) of a squared distance, f what is behind the point.
TEST_CASE("QSGD is right on average, with the variance of its levels", "[op][codec]") {
  std::vector<double> const row = normal_row<double>(64);
  double const norm = squared_norm(row);
  for (std::size_t const levels : {1, 4, 15}) {
    double const s = static_cast<double>(levels);
    double expected = 0;
    for (double const x : row) {
      double const at = s * std::abs(x) / std::sqrt(norm), part = at - std::floor(at);
      expected += part * (1 - part) * norm / (s * s);
    }
    codec::qsgd const codec{.levels = levels};
    auto const [mean, lost] = means(codec, row, 4000);
    CHECK(lost == Approx(expected).epsilon(0.03));
    CHECK(lost <= codec.variance(64) * norm);
    CHECK(squared_distance(mean, row) < 2 * lost / 4000);
    codec::qsgd const scaled{.levels = levels, .scaled = true};
    double const factor = 1 / (1 + codec.variance(64));
    CHECK(means(scaled, row, 4000).second <= (1 - factor) * norm);
    auto const plain = left_of(codec, row, 0.25), smaller = left_of(scaled, row, 0.25);
    for (std::size_t c = 0; c < 64; ++c) CHECK(smaller[c] == Approx(factor * plain[c]));
  }
  CHECK(codec::qsgd{.levels = 4}.variance(64) == 2);
}

TEST_CASE("codecs refuse members that are not theirs", "[op][codec]") {
  CHECK_THROWS_WITH(codec::qsgd{.levels = 0}.check(),
                    contains("qsgd: levels: expected 1 to 32767"));
  CHECK_THROWS_WITH(codec::qsgd{.levels = 32768}.check(), contains("qsgd: levels: expected 1 to"));
  CHECK_THROWS_WITH(codec::random_k{.share = 0}.check(), contains("random_k: share: expected a"));
  CHECK_THROWS_WITH((codec::chunked_top_k{.chunk = 0, .kept = 1}.check()),
                    contains("chunked_top_k: chunk: expected 1 to 1048576, got 0"));
  CHECK_THROWS_WITH((codec::chunked_top_k{.chunk = 8, .kept = 9}.check()),
                    contains("chunked_top_k: kept: expected 1 to the chunk, 8, got 9"));
  CHECK_THROWS_WITH((codec::cosine_top_k{.chunk = 129}.check()),
                    contains("cosine_top_k: chunk: expected 1 to 128, got 129"));
  CHECK_THROWS_WITH((codec::cosine_top_k{.chunk = 8, .kept = 9}.check()),
                    contains("cosine_top_k: kept: expected 1 to the chunk, 8, got 9"));
}

}  // namespace gossip::test::codecs
