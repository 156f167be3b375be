// The levels that cost ranks most, by hand.
#include <gossip/engine/distributed/levels.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "../catch.hpp"

using gossip::operation;
using gossip::operation_kind;
using gossip::rank_levels;
using gossip::rank_task;
using gossip::task_kind;

namespace {

rank_task task(task_kind kind, std::uint32_t level) {
  rank_task t;
  t.kind = kind;
  t.what.level = level;
  return t;
}

/// Rank 1 of 3, where rank 2 has waited 5 seconds for level 7 of window 9.
struct three_ranks {
  std::size_t size() const { return 3; }
  std::size_t rank() const { return 1; }
  void all_reduce_sum(std::span<double> seconds) const { seconds[2] = 5; }
  void all_reduce_sum(std::span<std::uint64_t> places) const {
    places[4] = 9;
    places[5] = 7;
  }
};

}  // namespace

TEST_CASE("waiting belongs to the level of the task that ended it", "[engine]") {
  rank_levels levels;
  levels.begin(4);
  levels.waited(0.5);
  levels.done(task(task_kind::train, 1), 0);
  levels.waited(1);
  levels.done(task(task_kind::send, 0), 0);  // nobody waits for a row to leave
  levels.done(task(task_kind::row, 3), 0);
  levels.done(task(task_kind::row, 2), 0);
  levels.waited(0.25);
  levels.done(task(task_kind::train, 1), 0);
  auto most = levels.most_awaited(three_ranks{});
  CHECK(most.seconds == 5);
  CHECK(most.rank == 2);
  CHECK(most.window == 9);
  CHECK(most.level == 7);

  // Waits of one level add up: mixtures tell how long all of them have waited so far.
  levels.done(task(task_kind::mix, 2), 2.0);
  levels.begin(3);
  levels.waited(1);
  levels.done(task(task_kind::mix, 2), 5.5);
  levels.done(task(task_kind::row, 2), 5.5);
  levels.waited(1);
  levels.done(task(task_kind::row, 2), 5.5);
  most = levels.most_awaited(three_ranks{});
  CHECK(most.seconds == 5.5);
  CHECK(most.rank == 1);
  CHECK(most.window == 2);
  CHECK(most.level == 2);
}

TEST_CASE("what is waited after a window's last task is its last level's", "[engine]") {
  rank_levels levels;
  levels.begin(3);
  levels.waited(6);
  levels.begin(5);
  levels.waited(1);
  levels.done(task(task_kind::train, 4), 0);
  auto const most = levels.most_awaited(three_ranks{});
  CHECK(most.seconds == 6);
  CHECK(most.window == 1);
  CHECK(most.level == 2);
}

TEST_CASE("the worst level is the one by which most trainings are lost", "[engine]") {
  rank_levels levels;
  levels.begin(3);
  CHECK(levels.most_uneven().window == 0);
  levels.count(0, 0, 0, 3);  // row operations alone
  levels.count(1, 30, 10, 3);
  CHECK(levels.most_uneven().imbalance == 1);
  CHECK(levels.most_uneven().window == 1);
  levels.count(2, 1, 1, 3);  // two ranks idle for one training
  CHECK(levels.most_uneven().imbalance == 3);
  levels.begin(2);
  levels.count(1, 30, 12, 3);  // six trainings
  levels.begin(2);
  levels.count(1, 3, 2, 3);
  CHECK(levels.levels() == 5);
  CHECK(levels.most_uneven().imbalance == Approx(1.2));
  CHECK(levels.most_uneven().trainings == 30);
  CHECK(levels.most_uneven().window == 2);
  CHECK(levels.most_uneven().level == 1);
}
