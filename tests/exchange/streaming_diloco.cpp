// Streaming DiLoCo: the laws, DiLoCo for one fragment without delay, and the recursion by a plain
// loop.
#include <gossip/exchange/streaming_diloco.hpp>

#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/link.hpp>
#include <gossip/model/quadratic.hpp>
#include <gossip/topology/ring.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "laws.hpp"
#include "networks.hpp"

using namespace gossip::test;
using gossip::diloco;
using gossip::ring;
using gossip::streaming_diloco;

TEST_CASE("streaming DiLoCo keeps the laws of exchanges", "[exchange]") {
  check_exchange(streaming_diloco{{.local_steps = 3}, 2, 1, 0.5},
                 {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("streaming DiLoCo of one fragment without delay and share is DiLoCo", "[exchange]") {
  diloco const whole{.local_steps = 5};
  CHECK(settled(ring{8}, streaming_diloco{whole, 1, 0, 0.0}, 57).rows ==
        settled(ring{8}, whole, 57).rows);
}

namespace {

constexpr std::size_t valley_columns = 5, valley_count = 8;

/// As alternating_valleys, in five columns.
gossip::quadratic<valley_columns> broad_valleys() {
  gossip::quadratic<1> const narrow = alternating_valleys();
  return {.curvature = narrow.curvature, .optimum = narrow.optimum, .start = 0.5};
}

using valley_table = std::array<std::array<double, valley_columns>, valley_count>;

/// Algorithm 2, a column after another: those of three fragments begin at 0, 1 and 3.
valley_table plain_streaming(std::uint64_t count, std::uint64_t steps, std::uint64_t delay,
                             double share) {
  auto const valleys = alternating_valleys();
  constexpr std::array<std::size_t, valley_columns> fragment_of{0, 1, 1, 2, 2};
  constexpr double rate = 0.1, outer_rate = 0.7, momentum = 0.9;
  valley_table x;
  for (auto &row : x) row.fill(0.5);
  std::array<double, valley_columns> common, kept{}, sent{};
  common.fill(0.5);
  for (std::uint64_t t = 1; t <= count; ++t) {
    for (std::size_t i = 0; i < valley_count; ++i)
      for (double &number : x[i])
        number -= rate * valleys.curvature[i] * (number - valleys.optimum[i]);
    for (std::size_t c = 0; c < valley_columns; ++c) {
      std::uint64_t const offset = fragment_of[c] * steps / 3;
      if (t % steps == offset) {
        sent[c] = common[c];
        for (std::size_t i = 0; i < valley_count; ++i) sent[c] -= x[i][c] / valley_count;
      }
      if (t <= delay || (t - delay) % steps != offset) continue;
      kept[c] = momentum * kept[c] + sent[c];
      common[c] -= outer_rate * (sent[c] + momentum * kept[c]);
      for (std::size_t i = 0; i < valley_count; ++i)
        x[i][c] = share * x[i][c] + (1 - share) * common[c];
    }
  }
  return x;
}

watched_run streaming_run(some_exchange const &exchange, std::uint64_t count,
                          gossip::link const &link = {}) {
  gossip::virtual_clock<gossip::constant_time> const clock{.network = link};
  auto network = on_clock(clock, ring{valley_count}, broad_valleys(), 0.1, exchange);
  return watched(network, {.stop = gossip::rounds{count}}, at_the_end);
}

}  // namespace

TEST_CASE("streaming DiLoCo is the recursion of its paper, fragment by fragment", "[exchange]") {
  for (std::uint64_t const count : {1, 2, 3, 5, 8, 13, 40}) {
    auto const found =
        streaming_run(streaming_diloco{{.local_steps = 7}, 3, 3, 0.4}, count).seen.back();
    valley_table const expected = plain_streaming(count, 7, 3, 0.4);
    for (std::size_t i = 0; i < valley_count; ++i)
      for (std::size_t c = 0; c < valley_columns; ++c)
        CHECK(found.rows[i][c] == Approx(expected[i][c]).epsilon(1e-11));
  }
}

// A mean goes round a ring of 14 messages of 5 ms, a training takes 10 ms. Means begin after 8 and
// 16 rounds; that of the former is there after 15, whenever it is waited for.
TEST_CASE("the means of streaming DiLoCo travel while nodes train", "[exchange]") {
  gossip::link const slow{.latency = std::chrono::milliseconds(5), .bandwidth = 1e300};
  auto const seconds = [&](std::uint64_t delay) {
    return streaming_run(streaming_diloco{{.local_steps = 8}, 1, delay, 0.5}, 16, slow)
        .report.virtual_seconds;
  };
  CHECK(seconds(0) == Approx(0.16 + 2 * 0.07));
  CHECK(seconds(2) == Approx(0.16 + 0.05));
  CHECK(seconds(7) == Approx(0.16));
}

// Each node sends 2 (n - 1) / n of a fragment: of the first fragment in round 12, of the second in
// rounds 6 and 18.
TEST_CASE("streaming DiLoCo sends a fragment at a time", "[exchange]") {
  streaming_diloco const exchange{{.local_steps = 12}, 2, 1, 0.5};
  CHECK(streaming_run(exchange, 5).report.bytes_sent == 0);
  CHECK(streaming_run(exchange, 6).report.bytes_sent == 8 * (2 * 7 * (3 * 8) / 8));
  CHECK(streaming_run(exchange, 12).report.bytes_sent == 8 * (2 * 7 * (5 * 8) / 8));
  CHECK(streaming_run(exchange, 18).report.bytes_sent == 8 * (2 * 7 * (8 * 8) / 8));
}

TEST_CASE("streaming DiLoCo refuses hyper-parameters out of range", "[exchange]") {
  CHECK_THROWS_WITH(settled(ring{8}, streaming_diloco{{.local_steps = 3}, 1, 3}, 1),
                    contains("streaming_diloco: delay: expected fewer rounds than 3"));
  CHECK_THROWS_WITH(settled(ring{8}, streaming_diloco{{}, 0}, 1),
                    contains("streaming_diloco: fragments: expected a whole number of at least 1"));
  CHECK_THROWS_WITH(streaming_run(streaming_diloco{{}, 6}, 1),
                    contains("streaming_diloco: fragments: expected at most the number of columns "
                             "of the model, 5, got 6"));
  CHECK_THROWS_WITH(settled(ring{8}, streaming_diloco{{}, 1, 0, 1.5}, 1),
                    contains("streaming_diloco: own_share: expected a number from 0 to 1"));
  CHECK_THROWS_WITH(settled(ring{8}, streaming_diloco{{.outer_momentum = 1}}, 1),
                    contains("diloco: outer_momentum"));
}
