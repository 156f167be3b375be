// Batches: every local epoch a permutation, any batch at any time, and no order preferred.
#include <gossip/data/batch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "../catch.hpp"

using gossip::batch_indices;
using gossip::epoch_order;

namespace {

using index_list = std::vector<std::uint32_t>;

// The first count places of a node's stream, batch after batch.
index_list stream(index_list const &samples, std::size_t batch, std::size_t count) {
  index_list all(count / batch * batch);
  for (std::size_t step = 0; step < count / batch; ++step)
    batch_indices(9, 4, step, samples, std::span(all).subspan(step * batch, batch));
  return all;
}

index_list labelled(std::size_t m) {
  index_list samples(m);
  for (std::size_t k = 0; k < m; ++k) samples[k] = static_cast<std::uint32_t>(1000 + 3 * k);
  return samples;
}

// Distance of chi squared over cells of equal expectation from its mean, in standard deviations.
double surprise(std::vector<double> const &cells, double expected, double freedom) {
  double sum = 0.0;
  for (double const cell : cells) sum += (cell - expected) * (cell - expected) / expected;
  return (sum - freedom) / std::sqrt(2.0 * freedom);
}

}  // namespace

TEST_CASE("an epoch order visits every sample once", "[data]") {
  for (std::uint32_t m = 1; m <= 300; ++m)
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      epoch_order const order(1, 2, epoch, m);
      std::vector<bool> seen(m, false);
      for (std::uint32_t place = 0; place < m; ++place) {
        REQUIRE(order[place] < m);
        REQUIRE(!seen[order[place]]);
        seen[order[place]] = true;
      }
    }
}

TEST_CASE("an epoch order stays in range for the largest sets", "[data]") {
  for (std::uint32_t const m : {4294967295U, 4294901760U, 4294836226U, 4294836225U, 65536U}) {
    epoch_order const order(1, 2, 3, m);
    for (std::uint32_t const place : {0U, 1U, m / 2, m - 1}) CHECK(order[place] < m);
    CHECK(order[0] != order[1]);
  }
}

TEST_CASE("every local epoch is a permutation, whatever the batch", "[data]") {
  for (std::size_t const m : {1, 2, 3, 17, 60})
    for (std::size_t const batch : {1, 7, 64}) {
      index_list const samples = labelled(m);
      index_list const all = stream(samples, batch, 10 * m + 64);
      for (std::size_t epoch = 0; (epoch + 1) * m <= all.size(); ++epoch) {
        auto const begin = all.begin() + static_cast<std::ptrdiff_t>(epoch * m);
        index_list visited(begin, begin + static_cast<std::ptrdiff_t>(m));
        std::ranges::sort(visited);
        CHECK(visited == samples);
      }
    }
}

TEST_CASE("the stream of a node does not depend on how it is cut in batches", "[data]") {
  index_list const samples = labelled(23);
  CHECK(stream(samples, 1, 192) == stream(samples, 64, 192));
  CHECK(stream(samples, 3, 192) == stream(samples, 64, 192));
}

TEST_CASE("a batch is the same at any time and another for another key", "[data]") {
  index_list const samples = labelled(500);
  auto const batch = [&](std::uint64_t seed, gossip::node i, std::uint64_t step) {
    index_list out(64);
    batch_indices(seed, i, step, samples, out);
    return out;
  };
  auto const late = batch(1, 2, 1'000'000'000'000);
  CHECK(batch(1, 2, 3) == batch(1, 2, 3));
  CHECK(batch(1, 2, 1'000'000'000'000) == late);
  CHECK(batch(1, 2, 3) != batch(2, 2, 3));
  CHECK(batch(1, 2, 3) != batch(1, 3, 3));
  CHECK(batch(1, 2, 0) != batch(1, 2, 125));  // the same places of epochs 0 and 16
}

TEST_CASE("every sample is as likely at every place and after every other", "[data]") {
  for (std::uint32_t const m : {2U, 3U, 5U, 10U, 16U, 17U, 60U}) {
    double const epochs = 500.0 * m;
    std::vector<double> at(m * m, 0.0), after(m * m, 0.0);
    for (std::uint64_t epoch = 0; epoch < 500U * m; ++epoch) {
      epoch_order const order(5, 7, epoch, m);
      for (std::uint32_t place = 0; place < m; ++place) {
        ++at[place * m + order[place]];
        if (place > 0) ++after[order[place - 1] * m + order[place]];
      }
    }
    CHECK(std::fabs(surprise(at, epochs / m, (m - 1.0) * (m - 1.0))) < 4.0);
    std::vector<double> others;
    for (std::uint32_t k = 0; k < m * m; ++k)
      if (k / m != k % m) others.push_back(after[k]);
    if (m > 2) CHECK(std::fabs(surprise(others, epochs / m, m * (m - 1.0) - 1.0)) < 4.0);
  }
}

TEST_CASE("a batch of a node without samples is refused", "[data]") {
  index_list out(4);
  CHECK_THROWS_WITH(batch_indices(1, 6, 0, index_list{}, out),
                    "batch: node 6: expected at least one sample, got none");
}
