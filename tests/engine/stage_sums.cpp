// Sums that a stage asks for: which are made once, and which come together.
#include <gossip/engine/host/stage_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace {

using namespace gossip;

operation distance(node i, node j, node l, std::uint32_t made, std::uint8_t slot = 0) {
  return {0,
          j,
          {{slot}, {slot, true}},
          work::reduce_rows{.of_others = true, .function = 1, .b = l, .scalar = made, .owner = i}};
}
operation norm(node i, std::uint32_t made) {
  return {0, i, {{0}}, work::reduce_rows{.b = i, .scalar = made, .owner = i}};
}

constexpr auto always = [](operation const &) { return true; };

/// All distances among nodes first to first + m - 1, at a node.
void add_distances(std::vector<operation> &stage, node i, node first, node m) {
  for (node j = first; j < first + m; ++j)
    for (node l = j + 1; l < first + m; ++l)
      stage.push_back(distance(i, j, l, static_cast<std::uint32_t>(stage.size())));
}

}  // namespace

TEST_CASE("distances among a node's neighbors are one group of sums", "[engine]") {
  std::vector<operation> stage;
  add_distances(stage, 2, 10, 5);
  add_distances(stage, 3, 12, 5);
  stage_sums asked;
  for (int turn = 0; turn < 2; ++turn) {
    asked.build(stage, always);
    REQUIRE(asked.groups().size() == 2);
    CHECK(asked.groups()[0].count == 10);
    CHECK(asked.groups()[0].rows == 5);
    // Nodes 12, 13 and 14 are known from the first, so that three distances are made already.
    CHECK(asked.groups()[1].count == 7);
    CHECK(asked.groups()[1].rows == 5);
    CHECK(asked.repeated().size() == 3);
    for (auto const &[again, made] : asked.repeated()) {
      CHECK(again > made);
      CHECK(stage[again].a == stage[made].a);
      CHECK(stage[again].b() == stage[made].b());
    }
    for (stage_sums::group const &one : asked.groups())
      for (std::size_t k = one.first; k < one.first + one.count; ++k) {
        stage_sums::sum const &sum = asked.sums()[k];
        CHECK(asked.rows(one)[sum.places[0]] == stage_sums::row{0, stage[sum.operation].a});
        CHECK(asked.rows(one)[sum.places[1]] == stage_sums::row{0, stage[sum.operation].b()});
      }
  }
}

TEST_CASE("sums of rows that are read once take their own numbers", "[engine]") {
  std::vector<operation> stage{norm(0, 0), norm(1, 1), distance(1, 0, 2, 2), norm(1, 3)};
  stage_sums asked;
  asked.build(stage, always);
  std::size_t sums = 0;
  for (stage_sums::group const &one : asked.groups()) {
    CHECK(one.first == sums);
    CHECK(one.rows == 0);
    sums += one.count;
  }
  CHECK(sums == 4);
  // The same distance of rows of another slot is another sum.
  stage = {distance(1, 0, 2, 0), distance(1, 0, 2, 1, 3), distance(1, 2, 0, 2)};
  asked.build(stage, always);
  CHECK(asked.sums().size() == 3);
  CHECK(asked.repeated().empty());
}

TEST_CASE("sums of functions that want their own numbers stay alone", "[engine]") {
  std::vector<operation> stage;
  add_distances(stage, 0, 0, 4);
  stage_sums asked;
  asked.build(stage, [](operation const &) { return false; });
  CHECK(asked.sums().size() == 6);
  for (stage_sums::group const &one : asked.groups()) CHECK(one.rows == 0);
}

TEST_CASE("a hub's distances come in groups of some of its neighbors", "[engine]") {
  std::vector<operation> stage;
  add_distances(stage, 0, 0, 200);
  stage_sums asked;
  asked.build(stage, always);
  std::size_t sums = 0;
  for (stage_sums::group const &one : asked.groups()) {
    CHECK(one.rows <= stage_sums::most_together);
    sums += one.count;
  }
  CHECK(sums == stage.size());
}
