// Machines that are slow for a while: the laws of the Markov chain, and what follows for times.
#include <gossip/clock/clock.hpp>
#include <gossip/clock/constant_time.hpp>
#include <gossip/clock/two_state_time.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../catch.hpp"

using namespace std::chrono_literals;

using gossip::constant_time;
using gossip::node;
using gossip::two_state_time;

namespace {

constexpr std::size_t chain_nodes = 20, chain_steps = 20'000;

/// States of all nodes at all steps, 1 where slow, from times of 1 s and 10 s. (nodes, steps)
std::vector<std::vector<int>> states_of(double slow_down, double recover) {
  auto const model =
      two_state_time<constant_time>{
          .normal = {1s}, .factor = 10, .slow_down = slow_down, .recover = recover}
          .prepare();
  std::vector<std::vector<int>> states(chain_nodes, std::vector<int>(chain_steps));
  for (node i = 0; i < chain_nodes; ++i)
    for (std::uint64_t step = 0; step < chain_steps; ++step) {
      auto const time = model.duration(4, i, step);
      REQUIRE((time == 1s || time == 10s));
      states[i][step] = time == 10s;
    }
  return states;
}

/// Trainings before which a node in this state had the chance to change, and those in which it did.
struct changes {
  double chances = 0, taken = 0;
};
changes changes_from(std::vector<std::vector<int>> const &states, int from) {
  changes found;
  for (auto const &row : states)
    for (std::size_t k = 0; k + 1 < row.size(); ++k) {
      found.chances += row[k] == from;
      found.taken += row[k] == from && row[k + 1] != from;
    }
  return found;
}

void check_chain(double slow_down, double recover) {
  CAPTURE(slow_down, recover);
  auto const states = states_of(slow_down, recover);
  auto const check_probability = [&](int from, double p) {
    changes const found = changes_from(states, from);
    CHECK(found.taken / found.chances ==
          Approx(p).margin(5.0 * std::sqrt(p * (1.0 - p) / found.chances)));
  };
  check_probability(0, slow_down);
  check_probability(1, recover);
  // Shares and correlations: with r = 1 - slow_down - recover, r^h between steps h apart; a mean of
  // N steps varies as one of N (1 - r) / (1 + r) independent ones.
  double const share = slow_down / (slow_down + recover), r = 1.0 - slow_down - recover;
  double const independent = static_cast<double>(chain_nodes * chain_steps) * (1.0 - r) / (1.0 + r);
  double sum = 0.0;
  for (auto const &row : states)
    for (int const slow : row) sum += slow;
  CHECK(sum / static_cast<double>(chain_nodes * chain_steps) ==
        Approx(share).margin(5.0 * std::sqrt(share * (1.0 - share) / independent)));
  for (std::size_t const apart : {2, 7, 20}) {
    double together = 0.0, pairs = 0.0;
    for (auto const &row : states)
      for (std::size_t k = 0; k + apart < row.size(); ++k, ++pairs)
        together += (row[k] - share) * (row[k + apart] - share);
    CHECK(together / pairs / (share * (1.0 - share)) ==
          Approx(std::pow(r, apart)).margin(10.0 / std::sqrt(independent)));
  }
}

}  // namespace

TEST_CASE("states of machines change with the probabilities asked for", "[clock]") {
  check_chain(0.01, 0.1);
  check_chain(0.3, 0.05);
  check_chain(0.4, 0.6);  // independent from step to step
  check_chain(0.002, 0.003);
}

TEST_CASE("spells of slow trainings are geometric", "[clock]") {
  double const recover = 0.2;
  auto const states = states_of(0.05, recover);
  std::vector<double> lengths(40);
  double spells = 0.0;
  for (auto const &row : states)
    for (std::size_t k = 1; k < row.size(); ++k) {
      if (row[k] == 0 || row[k - 1] == 1) continue;
      std::size_t length = 1;
      while (k + length < row.size() && row[k + length] == 1) ++length;
      if (k + length == row.size()) break;
      ++spells;
      if (length < lengths.size()) ++lengths[length];
    }
  for (std::size_t length = 1; length < 15; ++length) {
    double const p = recover * std::pow(1.0 - recover, static_cast<double>(length - 1));
    CHECK(lengths[length] / spells == Approx(p).margin(5.0 * std::sqrt(p * (1.0 - p) / spells)));
  }
}

TEST_CASE("a state is found without those before it, in any order", "[clock]") {
  two_state_time<> const model{.factor = 100, .slow_down = 0.02, .recover = 0.03};
  auto const prepared = model.prepare();
  std::vector<gossip::virtual_time> forward;
  for (std::uint64_t step = 0; step < 2000; ++step)
    forward.push_back(prepared.duration(1, 5, step));
  for (std::uint64_t step = 2000; step-- > 0;) {
    REQUIRE(prepared.duration(1, 5, step) == forward[step]);
    prepared.duration(1, 6, 7 * step);
  }
  CHECK(model.duration(1, 5, 1234) == forward[1234]);
  // Normal trainings are those of the model within, to the bit, and slow ones its hundredfold.
  auto const within = model.normal.prepare();
  int slow = 0;
  for (std::uint64_t step = 0; step < 2000; ++step) {
    auto const usual = within.duration(1, 5, step);
    REQUIRE((forward[step] == usual || forward[step] == 100 * usual));
    slow += forward[step] != usual;
  }
  CHECK((slow > 0 && slow < 2000));
}

TEST_CASE("machines begin in the stationary distribution", "[clock]") {
  auto const model =
      two_state_time<constant_time>{.normal = {1s}, .slow_down = 0.01, .recover = 0.03}.prepare();
  int slow = 0;
  for (node i = 0; i < 10'000; ++i) slow += model.duration(2, i, 0) == 10s;
  CHECK(slow == Approx(2500).margin(5.0 * std::sqrt(1875.0)));
}

TEST_CASE("machines that cannot change keep their state", "[clock]") {
  two_state_time<constant_time> const never{.normal = {1s}, .slow_down = 0, .recover = 0.5};
  two_state_time<constant_time> const always{.normal = {1s}, .slow_down = 1e-6, .recover = 0};
  two_state_time<constant_time> const independent{.normal = {1s}, .slow_down = 0.5, .recover = 0.5};
  std::uint64_t const far = std::uint64_t{1} << 60;
  for (std::uint64_t const step : {std::uint64_t{0}, std::uint64_t{1}, far}) {
    CHECK(never.duration(1, 0, step) == 1s);
    CHECK(always.duration(1, 0, step) == 10s);
    CHECK(independent.duration(1, 0, step) >= 1s);
  }
}

TEST_CASE("chains that do not exist are refused, in a sentence", "[clock]") {
  auto const refused = [](two_state_time<> const &model, std::string const &sentence) {
    CHECK_THROWS_WITH(gossip::node_clock(gossip::virtual_clock{.compute = model}, 2), sentence);
  };
  refused({.factor = 0},
          "two_state_time: factor: expected a number above 0 and at most 1000000000, got 0");
  refused({.slow_down = -0.1},
          "two_state_time: slow_down: expected a number from 0 to 1, got -0.1");
  refused({.recover = std::numeric_limits<double>::quiet_NaN()},
          "two_state_time: recover: expected a number from 0 to 1, got nan");
  refused({.slow_down = 0.6, .recover = 0.5},
          "two_state_time: slow_down: expected a sum of both probabilities from 0.000001 to 1, got "
          "1.1");
  refused({.slow_down = 0, .recover = 0},
          "two_state_time: slow_down: expected a sum of both probabilities from 0.000001 to 1, got "
          "0");
  refused({.normal = {.mean = 0ns}}, "lognormal_time: mean: expected at least 1 ns, got 0 ns");
}
