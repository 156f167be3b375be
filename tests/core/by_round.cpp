// Values by round: one, in turns, from given rounds on, with a period.
#include <gossip/core/by_round.hpp>

#include <string>
#include <vector>

#include "../catch.hpp"

using gossip::by_round;

TEST_CASE("a round has the value that was given for it", "[core]") {
  by_round<int> const one(7);
  CHECK(one[0] == 7);
  CHECK(one[~0ULL] == 7);
  CHECK(one.period() == 0);

  by_round<int> const turns(std::vector{1, 2, 3});
  CHECK(turns[0] == 1);
  CHECK(turns[5] == 3);
  CHECK(turns.period() == 3);

  by_round<int> const stays({1, 2, 3}, {0, 5, 6});
  CHECK(stays[4] == 1);
  CHECK(stays[5] == 2);
  CHECK(stays[1000] == 3);

  by_round<int> const again({1, 2}, {0, 5}, 7);
  CHECK(again[6] == 2);
  CHECK(again[7] == 1);
  CHECK(again[7 * 100 + 5] == 2);
  CHECK(by_round<int>().empty());
}

TEST_CASE("a mapped value has the rounds of the one that it comes from", "[core]") {
  by_round<int> const again({1, 2}, {0, 5}, 7);
  auto const text = again.map([](int i) { return std::to_string(i); });
  CHECK(text == by_round<std::string>({"1", "2"}, {0, 5}, 7));
  CHECK_FALSE(text == by_round<std::string>({"1", "2"}, {0, 5}, 8));
  CHECK(by_round<int>().map([](int i) { return i; }).empty());
}

TEST_CASE("rounds that do not ascend or pass the period are refused", "[core]") {
  using made = by_round<int>;
  std::string const expected =
      "by_round: expected a first round for each of 2 values, 0 and then ascending, got ";
  for (auto const &[first, got] :
       {std::pair<std::vector<gossip::round_number>, std::string>{{1, 2}, "1, 2"},
        {{0, 0}, "0, 0"},
        {{0}, "0"},
        {{}, "none"}})
    CHECK_THROWS_WITH(made({1, 2}, first), expected + got);
  CHECK_THROWS_WITH(made({1, 2}, {0, 5}, 5), "by_round: expected a period above 5, got 5");
}
