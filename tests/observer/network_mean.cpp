// The mean of all nodes and the distance from it.
#include <gossip/observer/network_mean.hpp>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "../catch.hpp"

using gossip::cpu;
using gossip::node;

namespace {

template <class T>
using host_fleet = gossip::fleet<T, gossip::host_buffer>;

template <class T>
host_fleet<T> random_rows(std::size_t n, std::size_t d) {
  host_fleet<T> rows({n, d, 0, false});
  for (node i = 0; i < n; ++i) {
    gossip::keyed_random random(1, gossip::purpose::user, i, 0);
    for (T &x : std::span(rows.parameters(i), d)) x = static_cast<T>(random.normal());
  }
  return rows;
}

template <class T>
std::vector<T> mean_of(host_fleet<T> const &rows, std::size_t threads = 1) {
  std::vector<T> mean(rows.size().parameters);
  gossip::network_mean(rows, cpu{.threads = threads}, mean.data());
  return mean;
}

template <class T>
double distance_of(host_fleet<T> const &rows) {
  auto const mean = mean_of(rows);
  return gossip::mean_squared_distance(rows, cpu{.threads = 2}, mean.data(), 0,
                                       rows.size().parameters);
}

}  // namespace

TEST_CASE("the mean does not depend on the order of nodes nor on threads", "[observer]") {
  for (std::size_t const n : {1, 2, 3, 17}) {
    auto const rows = random_rows<float>(n, 1300);  // three grids of columns
    auto const mean = mean_of(rows);
    for (std::size_t const threads : {2, 3}) CHECK(mean_of(rows, threads) == mean);
    for (node i = 0; i < n / 2; ++i) {
      float *const a = rows.parameters(i);
      std::swap_ranges(a, a + 1300, rows.parameters(static_cast<node>(n - 1 - i)));
    }
    CHECK(mean_of(rows) == mean);
    for (std::size_t c = 0; c < 1300; ++c) {
      double sum = 0;
      for (node i = 0; i < n; ++i) sum += static_cast<double>(rows.parameters(i)[c]);
      // Rounded once to float; the grid is finer than 2^-46, as all numbers are below 16.
      CHECK(static_cast<double>(mean[c]) ==
            Approx(sum / static_cast<double>(n)).epsilon(1e-7).margin(1e-12));
    }
  }
}

TEST_CASE("rows that outgrow the first ones have the mean of any order", "[observer]") {
  // The last row is the first in the other fleet, so that there its grid is the one expected.
  auto const grows = [&](auto number, std::size_t n) {
    using T = decltype(number);
    auto const last = random_rows<T>(n, 1300);
    for (std::size_t c = 0; c < 600; ++c) last.parameters(static_cast<node>(n - 1))[c] *= 1000;
    for (node i = 0; i + 1 < n; ++i) last.parameters(i)[1299] = 0;
    auto const first = random_rows<T>(n, 1300);
    for (node i = 0; i < n; ++i)
      std::copy_n(last.parameters(i), 1300, first.parameters(static_cast<node>((i + 1) % n)));
    auto const mean = mean_of(last, 2);
    CHECK(mean == mean_of(first));
    for (std::size_t c = 0; c < 1300; ++c) {
      long double sum = 0;
      for (node i = 0; i < n; ++i) sum += static_cast<long double>(last.parameters(i)[c]);
      CHECK(static_cast<double>(mean[c]) == Approx(static_cast<double>(sum / n))
                                                .epsilon(sizeof(T) == 4 ? 6e-8 : 3e-16)
                                                .margin(sizeof(T) == 4 ? 1e-11 : 0.0));
    }
  };
  for (std::size_t const n : {9, 14, 5000}) {
    grows(float{}, n);
    grows(double{}, n);
  }
}

TEST_CASE("the mean of equal models is that model", "[observer]") {
  auto const rows = random_rows<double>(17, 5);
  for (node i = 1; i < 17; ++i) std::copy_n(rows.parameters(0), 5, rows.parameters(i));
  auto const mean = mean_of(rows);
  for (std::size_t c = 0; c < 5; ++c)
    CHECK(mean[c] == Approx(rows.parameters(0)[c]).margin(0x1p-52));
  CHECK(distance_of(rows) < 1e-30);
}

TEST_CASE("the mean of equal models in float is that model but for its least numbers",
          "[observer]") {
  for (std::size_t const n : {1, 3, 17, 1000}) {
    host_fleet<float> const rows({n, 4, 0, false});
    float const model[] = {3.5F, -0x1.8p-25F, 1e-9F, 0.1F};
    for (node i = 0; i < n; ++i) std::copy_n(model, 4, rows.parameters(i));
    auto const mean = mean_of(rows);
    CAPTURE(n);
    for (std::size_t const c : {0, 1, 3}) CHECK(mean[c] == model[c]);
    CHECK(std::abs(static_cast<double>(mean[2]) - 1e-9) < 3.5 * 0x1p-50);
    CHECK(distance_of(rows) < static_cast<double>(n) * 1e-28);
  }
}

TEST_CASE("the distance to consensus in a case worked out by hand", "[observer]") {
  host_fleet<float> const rows({2, 2, 0, false});
  rows.parameters(0)[0] = 1;
  rows.parameters(1)[0] = 3;
  rows.parameters(0)[1] = -2;
  rows.parameters(1)[1] = 4;  // means 2 and 1; distances 1 + 9 each
  CHECK(distance_of(rows) == 10.0);
}

TEST_CASE("a shared row is its own mean", "[observer]") {
  host_fleet<float> const rows({5, 2, 0, true});
  rows.parameters(0)[0] = 3;
  CHECK(mean_of(rows) == std::vector<float>{3, 0});
  CHECK(distance_of(rows) == 0.0);
}

TEST_CASE("zeros and the smallest and largest numbers have their mean", "[observer]") {
  host_fleet<double> const rows({2, 1, 0, false});
  CHECK(mean_of(rows) == std::vector<double>{0.0});
  for (double const x : {1e-300, 1e300}) {
    rows.parameters(0)[0] = x;
    rows.parameters(1)[0] = x;
    CHECK(mean_of(rows)[0] / x == Approx(1).epsilon(1e-7));  // the grid ends at 2^-1023
  }
}

TEST_CASE("squared distances have the same bits whatever rows go together", "[observer]") {
  for (std::size_t const n : {1, 7, 16, 19, 40})
    for (std::size_t const d : {5, 16, 1301}) {
      CAPTURE(n, d);
      auto const rows = random_rows<float>(n, d);
      auto const from = mean_of(rows);
      std::size_t const first = d / 3;
      std::vector<double> expected;
      for (node i = 0; i < n; ++i) {
        double lanes[16] = {}, sum = 0;
        for (std::size_t c = first; c < d; ++c) {
          double const away =
              static_cast<double>(rows.parameters(i)[c]) - static_cast<double>(from[c]);
          lanes[(c - first) % 16] += away * away;
        }
        for (double const lane : lanes) sum += lane;
        expected.push_back(sum);
      }
      for (std::size_t const threads : {1, 2, 3})
        CHECK(gossip::squared_distances(rows, cpu{.threads = threads}, from.data(), first, d) ==
              expected);
    }
}

TEST_CASE("what is not finite has no mean and no distance", "[observer]") {
  for (float const bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    auto const rows = random_rows<float>(3, 4);
    rows.parameters(1)[2] = bad;
    CHECK(std::isnan(mean_of(rows)[2]));
    CHECK(std::isnan(distance_of(rows)));
  }
}
