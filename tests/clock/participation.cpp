// Nodes that take part in rounds: shares, spells, turns.
#include <gossip/clock/participation.hpp>

#include <cstddef>
#include <vector>

#include "../catch.hpp"

using gossip::node;
using gossip::participants;
using gossip::participation;
using gossip::participation_scheme;

namespace {

/// (rounds, n)
std::vector<std::vector<bool>> rounds_of(participation const &of, std::size_t nodes, int rounds,
                                         std::uint64_t seed = 1) {
  participants in(of, nodes, seed);
  std::vector<std::vector<bool>> all;
  for (int k = 0; k < rounds; ++k) {
    in.begin(static_cast<gossip::round_number>(k));
    all.emplace_back();
    for (node i = 0; i < nodes; ++i) {
      all.back().push_back(in.present(i));
      CHECK(in.takes_part(i) == all.back().back());
    }
    CHECK(in.present(static_cast<node>(nodes)));  // a server
  }
  return all;
}

/// The share of those that are there, of nodes that are, or are not, there so many rounds before.
double share_after(std::vector<std::vector<bool>> const &rounds, bool before, std::size_t apart) {
  double there = 0, all = 0;
  for (std::size_t k = apart; k < rounds.size(); ++k)
    for (std::size_t i = 0; i < rounds[k].size(); ++i) {
      if (rounds[k - apart][i] != before) continue;
      ++all;
      there += rounds[k][i];
    }
  return there / all;
}

}  // namespace

TEST_CASE("nodes take part in a uniform share of rounds, each by itself", "[clock]") {
  auto const rounds = rounds_of({participation_scheme::uniform, 0.3}, 40, 1000);
  CHECK(share_after(rounds, true, 1) == Approx(0.3).margin(0.02));
  CHECK(share_after(rounds, false, 1) == Approx(0.3).margin(0.02));
  double both = 0;
  for (auto const &present : rounds) both += present[3] && present[4];
  CHECK(both / 1000 == Approx(0.09).margin(0.04));
  CHECK(rounds == rounds_of({participation_scheme::uniform, 0.3}, 40, 1000));
  CHECK(rounds != rounds_of({participation_scheme::uniform, 0.3}, 40, 1000, 2));
}

// A node that is absent comes back with probability 1/4, one that is there leaves with (1 - 0.6) /
// 0.6 / 4.
TEST_CASE("nodes take part for spells of rounds", "[clock]") {
  auto const rounds = rounds_of({participation_scheme::markov, 0.6, 4}, 100, 1000);
  CHECK(share_after(rounds, false, 1) == Approx(1.0 / 4).margin(0.02));
  CHECK(share_after(rounds, true, 1) == Approx(1 - 0.4 / 0.6 / 4).margin(0.02));
  double const kept = 1 - 1.0 / 4 - 0.4 / 0.6 / 4;
  CHECK(share_after(rounds, true, 3) == Approx(0.6 + 0.4 * kept * kept * kept).margin(0.02));
}

TEST_CASE("groups of nodes take turns", "[clock]") {
  auto const rounds = rounds_of({.scheme = participation_scheme::cyclic, .groups = 3}, 7, 9);
  for (std::size_t k = 0; k < 9; ++k)
    for (std::size_t i = 0; i < 7; ++i) CHECK(rounds[k][i] == (i % 3 == k % 3));
}

TEST_CASE("all nodes take part where none can be absent", "[clock]") {
  for (participation const &of : {participation{},
                                  {participation_scheme::uniform, 1},
                                  {participation_scheme::markov, 1},
                                  {.scheme = participation_scheme::cyclic, .groups = 1}}) {
    CHECK(participants(of, 5, 1).are_all());
    for (auto const &present : rounds_of(of, 5, 20)) CHECK(present == std::vector<bool>(5, true));
  }
  CHECK_FALSE(participants({participation_scheme::uniform, 0.5}, 5, 1).are_all());
}

TEST_CASE("shares and spells that cannot be are refused", "[clock]") {
  auto const refused = [](participation const &of, char const *sentence) {
    CHECK_THROWS_WITH(participants(of, 3, 1), Catch::Contains(sentence));
  };
  refused({participation_scheme::uniform, 0},
          "clock: participation: share: expected a number above 0 and at most 1, got 0");
  refused({participation_scheme::markov, 1.5}, "participation: share: expected");
  refused({participation_scheme::markov, 0.1, 5},
          "clock: participation: absence: expected 1 / share to 1000000 rounds, got 5");
  refused({.scheme = participation_scheme::cyclic, .groups = 0},
          "clock: participation: groups: expected at least 1, got 0");
}
