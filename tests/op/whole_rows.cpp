// Functions of whole rows against sorting.
#include <gossip/op/top_k.hpp>

#include <gossip/codec/top_k.hpp>
#include <gossip/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "../catch.hpp"
#include "teams.hpp"

namespace {

/// Columns that stay, by a stable sort of magnitudes.
template <class T>
std::vector<T> largest_by_sorting(std::vector<T> row, std::size_t k) {
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(row[a]) > std::abs(row[b]);
  });
  for (std::size_t at = std::min(k, row.size()); at < row.size(); ++at) row[order[at]] = T{0};
  return row;
}

template <class T>
std::vector<T> largest(std::vector<T> row, std::size_t k) {
  double const c[] = {static_cast<double>(k)};
  T *const x[] = {row.data()};
  gossip::op::top_k{}(gossip::op::one_thread{}, row.size(), c, x);
  return row;
}

}  // namespace

TEMPLATE_TEST_CASE("the largest numbers of a row are those that sorting finds", "[op]", float,
                   double) {
  gossip::keyed_random random(3, gossip::purpose::exchange, 0, 0);
  for (std::size_t const columns : {1, 2, 15, 64, 1000, 5003}) {
    std::vector<TestType> row(columns);
    for (auto &x : row) x = static_cast<TestType>(random.uniform() - 0.5);
    for (std::size_t const k : {std::size_t{0}, std::size_t{1}, columns / 100, columns / 2,
                                columns - 1, columns, columns + 7})
      CHECK(largest(row, k) == largest_by_sorting(row, k));
  }
}

TEMPLATE_TEST_CASE("of equal magnitudes those of lower columns stay", "[op]", float, double) {
  gossip::keyed_random random(4, gossip::purpose::exchange, 0, 0);
  std::vector<TestType> row(777);
  for (auto &x : row) x = static_cast<TestType>(std::floor(random.uniform() * 7) - 3);
  for (std::size_t k = 0; k <= row.size(); k += 37)
    CHECK(largest(row, k) == largest_by_sorting(row, k));
  std::vector<TestType> const zeros(9, TestType{0}), ones(9, TestType{-1});
  CHECK(largest(zeros, 4) == zeros);
  CHECK(largest(ones, 4) == largest_by_sorting(ones, 4));
  using limits = std::numeric_limits<TestType>;
  std::vector<TestType> const ends{limits::denorm_min(), -limits::infinity(), limits::max(),
                                   -limits::min(), TestType{0}};
  for (std::size_t k = 0; k <= 5; ++k) CHECK(largest(ends, k) == largest_by_sorting(ends, k));
}

// Chunks that lie side by side in vectors, some that do not fill one, and one that is shorter; more
// and fewer than insertion sorts; zeros, infinities and equal magnitudes among them.
TEMPLATE_TEST_CASE("the largest numbers of every chunk are those that sorting finds", "[op]", float,
                   double) {
  gossip::keyed_random random(7, gossip::purpose::exchange, 0, 0);
  for (std::size_t const chunk : {2, 3, 9, 50, 64, 127, 128, 129}) {
    std::vector<TestType> row(37 * chunk + chunk / 2);
    for (std::size_t i = 0; i < row.size(); ++i) {
      double const x = random.normal();
      row[i] = static_cast<TestType>(i / chunk % 3 == 0 ? x : std::round(x * 2));
      if (i % 101 == 5) row[i] = std::numeric_limits<TestType>::infinity();
      if (i % 103 == 7) row[i] = -std::numeric_limits<TestType>::denorm_min();
    }
    for (std::size_t const k : {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{9},
                                chunk / 2, chunk - 1, chunk}) {
      std::vector<TestType> expected;
      for (std::size_t first = 0; first < row.size(); first += chunk) {
        auto const begin = row.begin() + static_cast<std::ptrdiff_t>(first);
        std::size_t const size = std::min(chunk, row.size() - first);
        std::ranges::copy(
            largest_by_sorting(
                std::vector<TestType>(begin, begin + static_cast<std::ptrdiff_t>(size)), k),
            std::back_inserter(expected));
      }
      double const c[] = {static_cast<double>(chunk), static_cast<double>(k)};
      std::vector<TestType> found = row, other = row;
      TestType *const x[] = {found.data()}, *const y[] = {other.data()};
      gossip::op::top_k_of_chunks{}(gossip::op::one_thread{}, row.size(), c, x);
      gossip::op::top_k_of_chunks{}(gossip::test::from_behind{}, row.size(), c, y);
      CAPTURE(chunk, k);
      CHECK(found == expected);
      CHECK(other == expected);
    }
  }
}

TEST_CASE("the largest numbers do not depend on the order of columns in a team", "[op]") {
  gossip::keyed_random random(5, gossip::purpose::exchange, 0, 0);
  std::vector<float> row(1234);
  for (auto &x : row) x = static_cast<float>(std::floor(random.uniform() * 50) - 25);
  for (std::size_t const k : {3, 100, 617, 1200}) {
    std::vector<float> other = row;
    double const c[] = {static_cast<double>(k)};
    float *const x[] = {other.data()};
    gossip::op::top_k{}(gossip::test::from_behind{}, other.size(), c, x);
    CHECK(other == largest(row, k));
  }
}

// |v - Q(v)|^2 <= (1 - k / d) |v|^2, equal where all magnitudes are.
TEST_CASE("what top-k leaves out is bounded", "[op][codec]") {
  gossip::keyed_random random(6, gossip::purpose::exchange, 0, 0);
  for (double const share : {0.01, 0.1, 0.5}) {
    gossip::codec::top_k const codec{.share = share};
    std::vector<double> row(2000);
    for (double &x : row) x = random.uniform() * random.uniform() - 0.3;
    std::size_t const k = codec.kept(row.size());
    auto const kept = largest(row, k);
    double lost = 0, all = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      lost += (row[c] - kept[c]) * (row[c] - kept[c]);
      all += row[c] * row[c];
    }
    CHECK(lost <= (1 - static_cast<double>(k) / 2000) * all);
    CHECK(codec.bytes(row.size(), 4) == 8 * k);
  }
  CHECK(gossip::codec::top_k{.share = 0.001}.kept(10) == 1);
  CHECK(gossip::codec::top_k{.share = 1}.kept(10) == 10);
}
