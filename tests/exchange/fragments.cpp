// Fragments of rows and messages of several: the laws, and what they come to against plain loops.
#include "fragment_exchanges.hpp"

#include <gossip/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test {

TEST_CASE("fragments keep the laws of exchanges", "[exchange]") {
  check_exchange(fragment_gossip{}, {.keeps_mean = false, .reaches_mean = false});
  check_exchange(fragments_by_event{}, {.keeps_mean = false, .reaches_mean = false});
  check_kind(fragments_by_event{});
}

TEST_CASE("mixtures and means of fragments keep the laws of exchanges", "[exchange]") {
  check_exchange(mixtures_of_fragments{}, {.keeps_mean = false, .reaches_mean = false});
}

TEST_CASE("messages of two rows keep the laws of exchanges", "[exchange]") {
  check_exchange(push_sum_of_two{}, {.keeps_mean = false, .reaches_mean = false});
}

namespace {

constexpr std::size_t width = 7;

/// Rows of scattered nodes after so many rounds, of which the first alone moves them.
template <class Exchange>
std::vector<std::vector<double>> mixed_rows(std::size_t nodes, Exchange const &exchange,
                                            std::uint64_t count) {
  small_network network{ring{nodes}, scattered<width>{}, sgd{.rate = 1.0}, exchange};
  return watched(network, {.seed = 5, .stop = rounds{count}}, at_the_end).seen.back().rows;
}

std::vector<std::array<double, width>> first_points(std::size_t nodes) {
  std::vector<std::array<double, width>> x(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t c = 0; c < width; ++c)
      x[i][c] = scattered<width>::point(5, static_cast<node>(i), c);
  return x;
}

}  // namespace

// Columns 0 to 3 are one half of 7, 3 to 7 the other; in even rounds the former goes to the lesser
// of two neighbours. Messages are handled by receiver, then by sender.
TEST_CASE("halves of models go to two neighbours, who average them", "[exchange]") {
  std::size_t const n = 5;
  auto x = first_points(n);
  for (std::uint64_t k = 0; k < 6; ++k) {
    auto const sent = x;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (j != (i + 1) % n && i != (j + 1) % n) continue;
        std::size_t const other = (j + 1) % n == i ? (j + n - 1) % n : (j + 1) % n;
        bool const former = (i < other) == (k % 2 == 0);
        for (std::size_t c = former ? 0 : 3; c < (former ? 3 : width); ++c)
          x[i][c] = 0.5 * x[i][c] + 0.5 * sent[j][c];
      }
    auto const found = mixed_rows(n, fragment_gossip{}, k + 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < width; ++c) CHECK(found[i][c] == x[i][c]);
  }
}

namespace {

/// Push-sum whose models become the sums over the rounds, or the estimates, in round `last`.
struct shown {
  push_sum_of_two inner{};
  round_number last = 0;
  row_name which = push_sum_of_two::past;

  static constexpr std::size_t rows = push_sum_of_two::rows;
  using node_state = push_sum_of_two::node_state;
  using message_state = push_sum_of_two::message_state;

  void on_round(auto &plan, round_number k) const {
    inner.on_round(plan, k);
    if (k == last) plan.assign_all(model_row, {{1, which}});
  }
  void on_message(auto &plan, node i, auto const &m) const { inner.on_message(plan, i, m); }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
};

}  // namespace

TEST_CASE("push-sum of two rows in one message is that of a plain loop", "[exchange]") {
  std::size_t const n = 4;
  auto x = first_points(n);
  std::vector<std::array<double, width>> past(n, std::array<double, width>{});
  std::vector<double> weight(n, 1);
  for (std::uint64_t k = 0; k < 7; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < width; ++c) past[i][c] += x[i][c];
    auto const half = [&](auto const &of, std::size_t i, std::size_t c) {
      std::size_t const from = (i + n - 1 - k % (n - 1)) % n;
      return 0.5 * of[i][c] + 0.5 * of[from][c];
    };
    auto const before = x, past_before = past;
    std::vector<double> const weights = weight;
    for (std::size_t i = 0; i < n; ++i) {
      weight[i] = 0.5 * weights[i] + 0.5 * weights[(i + n - 1 - k % (n - 1)) % n];
      for (std::size_t c = 0; c < width; ++c) {
        x[i][c] = half(before, i, c);
        past[i][c] = half(past_before, i, c);
      }
    }
    auto const models = mixed_rows(n, push_sum_of_two{}, k + 1);
    auto const sums = mixed_rows(n, shown{.last = k}, k + 1);
    auto const shares = mixed_rows(n, shown{.last = k, .which = push_sum_of_two::estimate}, k + 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < width; ++c) {
        CHECK(models[i][c] == x[i][c]);
        CHECK(sums[i][c] == past[i][c]);
        CHECK(shares[i][c] == Approx(x[i][c] / weight[i]));
      }
  }
}

}  // namespace gossip::test
